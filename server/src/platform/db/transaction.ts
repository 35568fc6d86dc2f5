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
import type { DB } from './schema.ts';

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

/**
 * Runs the work in a transaction; `begin` may contain further statements. PostgreSQL executes statements in the order in
 * which they were sent, so prepared statements are pipelined behind `begin` and each other; if `begin` fails, no account
 * is set and they see no rows. All other statements wait for `begin`.
 *
 * Kysely's own transactions await every statement. Pipelining makes holding and settling a call 1.07 times as fast as the
 * bare statements sent one by one, instead of slower (`./dev bench ledger`, docs/performance.md).
 */
export async function transact<T>(
  pool: pg.Pool,
  dialect: PostgresDialect,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  let isBroken = false;
  const send = corkedSender(client, () => isOver);
  const begun = send({ text: begin });
  const tx = transactionOf(dialect, { send, begun });
  try {
    const result = await work(tx);
    await begun;
    isOver = true;
    const { command } = await client.query('commit');
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
    return result;
  } catch (error) {
    isOver = true;
    await client.query('rollback').catch(() => {
      isBroken = true;
    });
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
