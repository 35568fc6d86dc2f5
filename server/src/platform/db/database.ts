import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type RawBuilder } from 'kysely';
import pg from 'pg';
import { type AccountShares, createAccountShares } from './account-shares.ts';
import { executePrepared, prepared } from './prepared.ts';
import type { DB } from './schema.ts';
import { type TransactOptions, type Tx, transact } from './transaction.ts';
import { asUnavailable } from './unavailable.ts';

export type { Tx } from './transaction.ts';

/** The connection pool and its query builder. Tenant rows are only accessible through `inAccount`. */
export interface Database {
  pool: pg.Pool;
  kysely: Kysely<DB>;
  dialect: PostgresDialect;
  shares: AccountShares;
  /** How long work waits for a database that accepts connections. */
  maxWaitMs: number;
  close(): Promise<void>;
}

/**
 * How long work waits for a free connection, for its account's share of them, and for a database that accepts
 * connections, such as a new primary, unless the options say otherwise. Then it fails with a 503.
 */
const defaultWaitMs = 10_000;

// bigint columns hold ids and micro-reais, all far below 2^53. A larger value is an error, never rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
});

// Dates stay text; a Date would shift with the time zone of the process.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  applicationName: string;
  statementTimeoutMs: number;
  /** How long work waits for a connection, for its account's share of them, and for a database that accepts them. */
  maxWaitMs?: number;
  /** Whether the server refuses writes. */
  isReadOnly?: boolean;
}

export function openDatabase(options: DatabaseOptions, onIdleError: (error: Error) => void): Database {
  const { maxWaitMs = defaultWaitMs } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: maxWaitMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    ...(options.isReadOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    // Statements may be sent before the responses to earlier ones arrive.
    pipeline: true,
  });
  pool.on('error', onIdleError);
  // Without an error listener, a connection that breaks between two statements of a transaction would end the process;
  // with it, the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  cutSilentConnections(pool, options.statementTimeoutMs + 2_000);
  const dialect = new PostgresDialect({ pool });
  const kysely = new Kysely<DB>({ dialect });
  // One account can use half of the connections, so that the others' requests find a free one.
  const shares = createAccountShares(Math.max(1, Math.floor(options.poolSize / 2)), maxWaitMs);
  return {
    pool,
    kysely,
    dialect,
    shares,
    maxWaitMs,
    close: () => closeAll(kysely, pool),
  };
}

/**
 * Destroys connections to a server that hangs, as a backstop behind the server's statement timeout. Cancelling the
 * query instead would make the rollback wait a second time.
 */
function cutSilentConnections(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () =>
      socket.destroy(new Error('Connection terminated: the server does not respond')),
    );
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(silenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends the pool as well: Kysely ends it only after using it, and an open pool would keep the process alive. */
async function closeAll(kysely: Kysely<DB>, pool: pg.Pool): Promise<void> {
  await kysely.destroy();
  if (!pool.ended) await pool.end();
}

/**
 * Runs one transaction that can read and write the rows of one account only. The work may run more than once, so it must have no
 * other effects than its statements; `runsOnce` is for work that has.
 */
export async function inAccount<T>(
  db: Database,
  accountId: number,
  work: (tx: Tx) => Promise<T>,
  options: { runsOnce?: boolean } = {},
): Promise<T> {
  if (!Number.isSafeInteger(accountId)) throw new Error(`${accountId} is not an account id.`);
  const begin = `begin; select set_config('app.account_id', '${accountId}', true)`;
  const retriesUntilMs = performance.now() + db.maxWaitMs;
  return await db.shares.run(accountId, () => run(db, { begin, retriesUntilMs, ...options }, work));
}

/** Runs a transaction without an account: it can read tenant rows only through security definer functions. */
export const inTransaction = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  run(db, { begin: 'begin', retriesUntilMs: performance.now() + db.maxWaitMs }, work);

/** Runs one query, usually of a security definer function, as its own transaction and returns its rows. */
export const queryRows = <Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> =>
  inTransaction(db, async (tx) => (await query.execute(tx)).rows);

async function run<T>(
  { pool, dialect }: Database,
  options: Omit<TransactOptions, 'pool' | 'dialect'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await transact({ pool, dialect, ...options }, work);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Sets the account for the rest of the transaction. */
export async function enterAccount(tx: Tx, accountId: number): Promise<void> {
  await executePrepared(tx, prepared`select set_config('app.account_id', ${String(accountId)}, true)`);
}
