import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { executePrepared, prepared } from './prepared.ts';
import type { DB } from './schema.ts';
import { type Tx, transact } from './transaction.ts';
import { asUnavailable } from './unavailable.ts';

export type { Tx } from './transaction.ts';

/** The pool and its query builder. Tenant rows are reached through `inAccount` only. */
export interface Database {
  pool: pg.Pool;
  kysely: Kysely<DB>;
  dialect: PostgresDialect;
  close(): Promise<void>;
}

// bigint columns hold ids and micro-reais, all far below 2^53; a value beyond it must not be rounded silently.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
});

// A day is a day: read as a moment it would shift with the reader's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  statementTimeoutMs: number;
}

export function openDatabase(options: DatabaseOptions, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    // A request that cannot get a connection soon is better told to come back than kept waiting.
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    // Statements may be sent before those ahead of them are answered.
    pipeline: true,
  });
  pool.on('error', onIdleError);
  // A connection that breaks between two statements of a transaction fails the next one; without a listener of its
  // own it would end the process instead.
  pool.on('connect', (client) => client.on('error', () => undefined));
  cutSilentConnections(pool, options.statementTimeoutMs + 2_000);
  const dialect = new PostgresDialect({ pool });
  const kysely = new Kysely<DB>({ dialect });
  return { pool, kysely, dialect, close: () => closeAll(kysely, pool) };
}

/**
 * Behind the server's own timeout stands ours, for a server that froze. The connection is cut rather than the query
 * given up, so that whoever holds it does not wait a second time for its rollback.
 */
function cutSilentConnections(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => socket.destroy(new Error('Connection terminated: the server is silent')));
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(silenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Kysely ends the pool only if it used it; one that nobody asked through Kysely would keep the process alive. */
async function closeAll(kysely: Kysely<DB>, pool: pg.Pool): Promise<void> {
  await kysely.destroy();
  if (!pool.ended) await pool.end();
}

/** One transaction that sees and writes the rows of one account, and no other. */
export async function inAccount<T>(
  db: Database,
  accountId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!Number.isSafeInteger(accountId)) throw new Error(`${accountId} is no account.`);
  return await run(db, `begin; select set_config('app.account_id', '${accountId}', true)`, work);
}

/** A transaction that belongs to no account yet: it sees tenant rows only through the named definer functions. */
export const inTransaction = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  run(db, 'begin', work);

async function run<T>({ pool, dialect }: Database, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transact(pool, dialect, begin, work);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** From here to its end the transaction speaks for this account. */
export async function enterAccount(tx: Tx, accountId: number): Promise<void> {
  await executePrepared(tx, prepared`select set_config('app.account_id', ${String(accountId)}, true)`);
}
