import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { connect, LostConnection, retryLost } from './retry-lost.ts';
import { pipelinedSender, type Tx } from './transaction.ts';
import { asUnavailable, isLoss } from './unavailable.ts';

/** A statement with its values. The text is built once per call site. */
export interface Statement<Row = unknown> {
  name: string;
  text: string;
  values: unknown[];
  /** Carries the row type only; never set. */
  readonly row?: Row;
}

/** Statement names by text. Texts are literals in the code, so exceeding the limit is a bug. */
const names = new Map<string, string>();
const maxNames = 200;
const statements = new WeakMap<TemplateStringsArray, { name: string; text: string; isValue: boolean[] }>();

/** A constant list of columns that several statements share. */
class ColumnList {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Defines a list of columns that `prepared` inserts into the text of a statement. */
export const columns = (parts: TemplateStringsArray): ColumnList => new ColumnList(parts.join(''));

/** Like `sql` of the query builder, for hot paths. Interpolates values and `columns` lists, and no other fragments. */
export function prepared<Row>(parts: TemplateStringsArray, ...given: unknown[]): Statement<Row> {
  let statement = statements.get(parts);
  if (!statement) {
    const text = textOf(parts, given);
    statement = { name: nameOf(text), text, isValue: given.map((value) => !(value instanceof ColumnList)) };
    statements.set(parts, statement);
  }
  const { name, text, isValue } = statement;
  return { name, text, values: given.filter((_, index) => isValue[index]) };
}

function textOf(parts: TemplateStringsArray, given: unknown[]): string {
  let values = 0;
  return parts.reduce((sofar, part, index) => {
    const value = given[index - 1];
    if (value instanceof ColumnList) return sofar + value.text + part;
    values += 1;
    return `${sofar}$${values}${part}`;
  });
}

/**
 * Executes a statement of a hot path as a prepared statement, planned once per connection, because planning costs more
 * than execution. Such statements must name their columns: a prepared `*` fails when a migration adds a column. They
 * are sent without waiting, so that independent statements are pipelined.
 */
export async function executePrepared<Row>(
  tx: Tx,
  query: Statement<Row> | CompiledQuery<Row>,
): Promise<Row[]> {
  const statement = 'sql' in query ? named(query) : query;
  const send = pipelinedSender(tx);
  if (!send) return await executeUnprepared<Row>(tx, statement);
  const { rows } = await send(statement);
  return rows as Row[];
}

async function executeUnprepared<Row>(tx: Tx, { text, values }: Statement): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, values));
  return rows;
}

export interface QueryOptions {
  /** Whether executing the statement twice has the same effect as once. It is then repeated if its outcome is unknown. */
  isRepeatable?: boolean;
}

/**
 * Executes a single statement, usually a security definer function, as its own transaction. A statement whose values
 * depend on the time is given as a function, which is called when there is a connection.
 */
export async function queryPrepared<Row>(
  { pool, maxWaitMs }: Database,
  query: Statement<Row> | CompiledQuery<Row> | (() => Statement<Row>),
  { isRepeatable = false }: QueryOptions = {},
): Promise<Row[]> {
  const build = typeof query === 'function' ? query : always('sql' in query ? named(query) : query);
  const retries = { retriesUntilMs: performance.now() + maxWaitMs, runsOnce: !isRepeatable };
  try {
    return await retryLost(retries, () => queryOnce<Row>(pool, build));
  } catch (error) {
    throw asUnavailable(error);
  }
}

const always =
  <T>(value: T) =>
  (): T =>
    value;

async function queryOnce<Row>(pool: Database['pool'], build: () => Statement): Promise<Row[]> {
  const client = await connect(pool);
  let isBroken = false;
  try {
    const { rows } = await client.query(build());
    return rows as Row[];
  } catch (error) {
    isBroken = isLoss(error);
    if (isBroken) throw new LostConnection(error, true);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Like `queryPrepared`, for a statement that sets the account itself. */
export const queryPreparedIn = <Row>(
  db: Database,
  accountId: number,
  query: Statement<Row> | (() => Statement<Row>),
  options: QueryOptions = {},
): Promise<Row[]> => db.shares.run(accountId, () => queryPrepared(db, query, options));

const named = ({ sql: text, parameters }: CompiledQuery): Statement => ({
  name: nameOf(text),
  text,
  values: parameters as unknown[],
});

function nameOf(text: string): string {
  const name = names.get(text) ?? `disca_${names.size}`;
  if (names.size === maxNames && !names.has(text))
    throw new Error(`More than ${maxNames} statements would be prepared.`);
  names.set(text, name);
  return name;
}
