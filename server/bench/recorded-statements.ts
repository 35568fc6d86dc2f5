import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface RecordedStatement {
  /** Name of a prepared statement. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** Records every statement of connections opened from now on, as passed to the driver, until stopped. */
export function recordStatements(): { stop(): RecordedStatement[] } {
  const statements: RecordedStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [first, values] = args;
    const asked = (typeof first === 'string' ? { text: first, values } : first) as RecordedStatement;
    statements.push({ name: asked.name, text: asked.text, values: [...(asked.values ?? [])] });
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return {
    stop() {
      pg.Client.prototype.query = query;
      return statements;
    },
  };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Sends the recorded statements again with some strings and numbers replaced. Every UUID is replaced by a new one. */
export async function replay(
  client: pg.PoolClient,
  statements: RecordedStatement[],
  exchanges: [string, string][],
): Promise<void> {
  const ids = new Set(statements.flatMap(({ values }) => JSON.stringify(values).match(uuid) ?? []));
  const all = [...exchanges, ...[...ids].map((id): [string, string] => [id, randomUUID()])];
  for (const { name, text: recorded, values } of statements) {
    // The text of a prepared statement is constant; the statement that begins a transaction contains its account.
    const text = name === undefined ? String(exchanged(recorded, all)) : recorded;
    const sent = values.map((value) => exchanged(value, all));
    await client.query(name === undefined ? { text, values: sent } : { name, text, values: sent });
  }
}

function exchanged(value: unknown, exchanges: [string, string][]): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  return exchanges.reduce((text, [from, to]) => text.replaceAll(from, to), String(value));
}
