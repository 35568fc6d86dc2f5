import { runLedgerModel } from '../test/contexts/billing/ledger-model/ledger-model.ts';
import { openLedgerDatabase } from './ledger-database.ts';

/** Runs operations of sixteen clients against the ledger model; a difference ends the run with the seed to repeat it. */
const clients = 16;
const progressEvery = 50_000;

async function main(ownerUrl: string, operations: number): Promise<void> {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1e6));
  console.log(`${operations} operations of ${clients} clients, FUZZ_SEED=${seed}`);
  const { db, query, close } = await openLedgerDatabase(ownerUrl, clients);
  const startedAtMs = performance.now();
  try {
    const tally = await runLedgerModel({
      db,
      query,
      operations,
      seed,
      // Longer runs use more accounts, so that contention is the same as in a short run.
      accounts: Math.max(40, Math.ceil(operations / 2_500)),
      onProgress: (done) => {
        if (done % progressEvery === 0) console.log(`${done} done`);
      },
    });
    const seconds = (performance.now() - startedAtMs) / 1000;
    for (const [what, times] of Object.entries(tally)) console.log(`  ${what}: ${times}`);
    console.log(`the ledger equals the model: ${(operations / seconds).toFixed(0)} operations/s`);
  } catch (error) {
    console.error(`FUZZ_SEED=${seed}`, error);
    process.exitCode = 1;
  } finally {
    await close();
  }
}

const ownerUrl = process.env.DATABASE_OWNER_URL;
if (ownerUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev fuzz ledger.');
await main(ownerUrl, Number(process.argv[2] ?? 1_000_000));
