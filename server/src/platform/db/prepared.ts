import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { senderOf, type Tx } from './transaction.ts';
import { asUnavailable } from './unavailable.ts';

/** A statement with its values, whose text is made once for each place in the code where it stands. */
export interface Statement<Row = unknown> {
  name: string;
  text: string;
  values: unknown[];
  /** Only says what its rows are. */
  readonly row?: Row;
}

/** Names by text. Texts are literals of the code, so there are few; more than this is a mistake. */
const names = new Map<string, string>();
const mostNames = 200;
const known = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

/** As `sql` of the query builder, for hot paths: values only, no parts that are put together. */
export function prepared<Row>(parts: TemplateStringsArray, ...values: unknown[]): Statement<Row> {
  let made = known.get(parts);
  if (!made) {
    const text = parts.reduce((sofar, part, index) => `${sofar}$${index}${part}`);
    made = { name: nameOf(text), text };
    known.set(parts, made);
  }
  return { ...made, values };
}

/**
 * For statements of hot paths: planned once a connection instead of every time, which costs more than running them.
 * They name their columns, because a prepared `*` fails when a migration adds one. They are sent at once, so that those
 * that do not depend on each other's answers can be asked together.
 */
export async function executePrepared<Row>(
  tx: Tx,
  query: Statement<Row> | CompiledQuery<Row>,
): Promise<Row[]> {
  const statement = 'sql' in query ? named(query) : query;
  const send = senderOf(tx);
  if (!send) return await executeElsewhere<Row>(tx, statement);
  const { rows } = await send(statement);
  return rows as Row[];
}

async function executeElsewhere<Row>(tx: Tx, { text, values }: Statement): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, values));
  return rows;
}

/** A single statement that asks or changes by a definer function, and is its own transaction. */
export async function askPrepared<Row>(
  { pool }: Database,
  query: Statement<Row> | CompiledQuery<Row>,
): Promise<Row[]> {
  try {
    const { rows } = await pool.query('sql' in query ? named(query) : query);
    return rows as Row[];
  } catch (error) {
    throw asUnavailable(error);
  }
}

const named = ({ sql: text, parameters }: CompiledQuery): Statement => ({
  name: nameOf(text),
  text,
  values: parameters as unknown[],
});

function nameOf(text: string): string {
  const name = names.get(text) ?? `disca_${names.size}`;
  if (names.size === mostNames && !names.has(text))
    throw new Error(`More than ${mostNames} statements are to be prepared.`);
  names.set(text, name);
  return name;
}
