import type { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { senderOf, type Tx } from './transaction.ts';
import { asUnavailable } from './unavailable.ts';

/** Statement names by text. Texts are literals of the code, so there are few; more than this is a mistake. */
const names = new Map<string, string>();
const mostNames = 200;

/**
 * For statements of hot paths: planned once a connection instead of every time, which costs more than running them.
 * They name their columns, because a prepared `*` fails when a migration adds one. They are sent at once, so that those
 * that do not depend on each other's answers can be asked together.
 */
export async function executePrepared<Row>(tx: Tx, query: CompiledQuery<Row>): Promise<Row[]> {
  const send = senderOf(tx);
  if (!send) return (await tx.executeQuery(query)).rows;
  const { rows } = await send(named(query));
  return rows as Row[];
}

/** A single statement that asks or changes by a definer function, and is its own transaction. */
export async function askPrepared<Row>({ pool }: Database, query: CompiledQuery<Row>): Promise<Row[]> {
  try {
    const { rows } = await pool.query(named(query));
    return rows as Row[];
  } catch (error) {
    throw asUnavailable(error);
  }
}

const named = ({ sql: text, parameters }: CompiledQuery) => ({
  name: nameOf(text),
  text,
  values: parameters as unknown[],
});

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size === mostNames) throw new Error(`More than ${mostNames} statements are to be prepared.`);
  const name = `disca_${names.size}`;
  names.set(text, name);
  return name;
}
