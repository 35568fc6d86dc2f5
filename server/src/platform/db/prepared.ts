import type { CompiledQuery, Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import type { DB } from './schema.ts';

/** Statement names by text. Texts are literals of the code, so there are few; more than this is a mistake. */
const names = new Map<string, string>();
const mostNames = 200;

/**
 * For statements of hot paths: planned once a connection instead of every time, which costs more than running them.
 * They name their columns, because a prepared `*` fails when a migration adds one.
 */
export async function executePrepared<Row>(db: Kysely<DB>, query: CompiledQuery<Row>): Promise<Row[]> {
  if (!names.has(query.sql)) {
    if (names.size === mostNames) throw new Error(`More than ${mostNames} statements are to be prepared.`);
    names.set(query.sql, `disca_${names.size}`);
  }
  const { rows } = await db.executeQuery(query);
  return rows;
}

/** Lets a connection send the statements that have a name by it. */
export function sendPrepared(client: PoolClient): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? send(text, values, ...rest) : send({ name, text, values }, ...rest);
  }) as typeof client.query;
}
