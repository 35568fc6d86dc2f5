import type { Socket } from 'node:net';
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  type PostgresDialect,
  PostgresQueryCompiler,
  Transaction,
} from 'kysely';
import type pg from 'pg';
import { connect, LostConnection, type Retries, retryLost } from './retry-lost.ts';
import type { DB } from './schema.ts';
import { isReadOnly, isUnavailability } from './unavailable.ts';

export type Tx = Transaction<DB>;

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();
const senders = new WeakMap<Tx, Send>();

/**
 * Returns the function that sends a statement without waiting for earlier ones; undefined for transactions that were
 * not started here.
 */
export const pipelinedSender = (tx: Tx): Send | undefined => senders.get(tx);

export interface TransactOptions extends Retries {
  pool: pg.Pool;
  dialect: PostgresDialect;
  /** The first statements, such as `begin; set local …`. */
  begin: string;
}

/**
 * Runs the work in a transaction. If the connection is lost before the commit is sent, as when the primary changes, the
 * transaction was rolled back, and the work runs again in another connection. If it is lost during the commit, the
 * outcome is unknown, and the error is thrown.
 */
export const transact = <T>(options: TransactOptions, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retryLost(options, () => attempt(options, work));

/**
 * PostgreSQL executes statements in the order in which they were sent, so prepared statements are pipelined behind
 * `begin` and each other; if `begin` fails, no account is set and they see no rows. All other statements wait for
 * `begin`.
 *
 * Kysely's own transactions await every statement. Pipelining makes holding and settling a call 1.07 times as fast as the
 * bare statements sent one by one, instead of slower (`./dev bench ledger`, docs/performance.md).
 */
async function attempt<T>(
  { pool, dialect, begin }: TransactOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  let isOver = false;
  let isCommitting = false;
  let isBroken = false;
  const send = corkedSender(client, () => isOver);
  const begun = send({ text: begin });
  const tx = transactionOf(dialect, { send, begun });
  try {
    const result = await work(tx);
    await begun;
    isOver = true;
    isCommitting = true;
    const { command } = await client.query('commit');
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
    return result;
  } catch (error) {
    isOver = true;
    await client.query('rollback').catch(() => {
      isBroken = true;
    });
    // A former primary answers, but only reads.
    if (isReadOnly(error)) isBroken = true;
    if (isBroken && !isCommitting && isUnavailability(error)) throw new LostConnection(error, true);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function transactionOf(
  dialect: PostgresDialect,
  { send, begun }: { send: Send; begun: Promise<unknown> },
): Tx {
  begun.catch(() => undefined);
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery) {
      await begun;
      const { rows, rowCount } = await send({ text, values: [...parameters] });
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery() {
      throw new Error('Streaming is not supported.');
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  const tx: Tx = new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
  senders.set(tx, send);
  return tx;
}

/** Corks the socket, so that statements sent in the same tick leave in one packet. */
function corkedSender(client: pg.PoolClient, isOver: () => boolean): Send {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let isCorked = false;
  return (query) => {
    if (isOver()) return Promise.reject(new Error('The transaction has ended.'));
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(() => {
        isCorked = false;
        stream.uncork();
      });
    }
    return client.query(query);
  };
}
