import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { adjustCredit, auditLedger, holdForCall } from '../src/contexts/billing/index.ts';
import { type Database, inAccount, openDatabase } from '../src/platform/db/database.ts';
import { systemClock } from '../src/platform/time.ts';
import { insertDeck, insertPlainAccounts } from '../test/harness/fixtures/billing-rows.ts';
import { settleCall } from '../test/harness/fixtures/settle-call.ts';
import { percentile } from './calls-list.ts';
import { openLedgerDatabase } from './ledger-database.ts';
import { type RecordedStatement, recordStatements, replay } from './recorded-statements.ts';

/**
 * Measures hold and settle through the public functions against the statements they send, recorded once and sent
 * directly through `pg`: the same transactions, one statement after the other, without logic. Rounds alternate and each
 * yields one ratio, so that both sides run under the same conditions.
 */
const bar = 0.6;
const clients = 16;
/** A short run checks that the benchmark works. */
const isShort = process.argv.includes('--short');
const accountCount = isShort ? 20 : 400;
const roundCount = isShort ? 1 : 8;
const roundMs = isShort ? 200 : 4_000;
const warmUpMs = isShort ? 100 : 3_000;
const destination = '5511987654321';
// A number that occurs nowhere else in a statement.
const recordedAccountId = 987_654_321;

type Call = (accountId: number) => Promise<void>;
const deps = { queueMail: async () => undefined, consoleUrl: '' };

async function main(ownerUrl: string): Promise<void> {
  const { db, serviceUrl, query, close } = await openLedgerDatabase(ownerUrl, clients);
  const bare = new pg.Pool({ connectionString: serviceUrl, max: clients });
  try {
    await insertDeck(query, [
      { prefix: '55', price: 0.12 },
      { prefix: '5511', price: 0.3 },
    ]);
    const accounts = await insertPlainAccounts(query, accountCount);
    const [fresh] = await insertPlainAccounts(query, 1);
    await query('update accounts set id = $1 where id = $2', [recordedAccountId, fresh]);
    for (const id of [...accounts, recordedAccountId]) await giveCredit(db, id);
    const statements = await record(serviceUrl);
    await measure(accounts, callThrough(db), callBare(bare, statements));
    const differences = await auditLedger({ db, clock: systemClock });
    if (differences.length > 0) throw new Error(`The audit found ${JSON.stringify(differences[0])}.`);
  } finally {
    await bare.end();
    await close();
  }
}

const giveCredit = (db: Database, accountId: number) =>
  inAccount(db, accountId, (tx) =>
    adjustCredit(tx, deps, { accountId, micros: 1e12, reason: 'Bench', key: 'bench', at: new Date() }),
  );

const callThrough =
  (db: Database): Call =>
  async (accountId) => {
    const call = { accountId, callId: randomUUID() };
    await inAccount(db, accountId, (tx) => holdForCall(tx, deps, { ...call, destination, at: new Date() }));
    await inAccount(db, accountId, (tx) => settleCall(tx, { ...call, usedSeconds: 61, at: new Date() }));
  };

async function record(serviceUrl: string): Promise<RecordedStatement[]> {
  const recording = recordStatements();
  const options = { url: serviceUrl, poolSize: 1, applicationName: 'recording', statementTimeoutMs: 5_000 };
  const db = openDatabase(options, (error) => console.error(error));
  await callThrough(db)(recordedAccountId);
  const statements = recording.stop();
  await db.close();
  const prepared = statements.filter(({ name }) => name !== undefined);
  console.log(`${statements.length} statements per call, ${prepared.length} of them prepared`);
  return statements;
}

const callBare =
  (pool: pg.Pool, statements: RecordedStatement[]): Call =>
  async (accountId) => {
    const client = await pool.connect();
    try {
      await replay(client, statements, [[String(recordedAccountId), String(accountId)]]);
    } finally {
      client.release();
    }
  };

async function measure(accounts: number[], ours: Call, bare: Call): Promise<void> {
  for (const call of [ours, bare]) await callsPerSecond(accounts, call, warmUpMs);
  const rounds: { our: number; their: number }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    // Alternate the order between rounds.
    const order = round % 2 === 0 ? [ours, bare] : [bare, ours];
    const rates = new Map<Call, number>();
    for (const call of order) rates.set(call, await callsPerSecond(accounts, call, roundMs));
    rounds.push({ our: rates.get(ours) ?? 0, their: rates.get(bare) ?? 0 });
  }
  const median = (values: number[]) => percentile(values, 0.5);
  const our = median(rounds.map((round) => round.our));
  const their = median(rounds.map((round) => round.their));
  const ratio = median(rounds.map((round) => round.our / round.their));
  console.log(`ledger.hold-settle: ${our.toFixed(0)} calls/s, bare ${their.toFixed(0)} calls/s`);
  console.log(`ratio ledger.hold-settle ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio >= bar) && !isShort) process.exitCode = 1;
}

async function callsPerSecond(accounts: number[], call: Call, durationMs: number): Promise<number> {
  const startedAtMs = performance.now();
  let done = 0;
  const work = async (client: number) => {
    for (let next = client; performance.now() - startedAtMs < durationMs; next += clients) {
      await call(accounts[next % accounts.length] ?? 0);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return done / ((performance.now() - startedAtMs) / 1000);
}

const ownerUrl = process.env.DATABASE_OWNER_URL;
if (ownerUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench ledger.');
await main(ownerUrl);
