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

/** Returns how to send a statement without waiting for earlier ones; undefined for transactions started elsewhere. */
export const pipelinedSender = (tx: Tx): Send | undefined => senders.get(tx);

/**
 * Runs the work between `begin`, which may say more than that, and `commit`. Statements are carried out in the order in
 * which they were sent, so those of hot paths need not wait for each other, nor for `begin`: if that should fail, they
 * know no account and see nothing. All others wait for it.
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

/** What is sent in one turn of the program goes out in one piece. */
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
