import { type FairnessOptions, measureFairness } from '../test/harness/webhooks/fairness.ts';
import { percentile } from './calls-list.ts';
import { benchKeyRing, openWebhookService } from './webhooks-service.ts';

/**
 * Measures how much longer healthy endpoints wait because others hang, fail or answer slowly: 50,000 events with bad endpoints and as
 * many without, alternately, each on a fresh database. Every pair yields one ratio, so that both run under the same
 * conditions.
 */
const bar = 1.5;
/** A short run checks that the benchmark works. */
const isShort = process.argv.includes('--short');
const pairs = isShort ? 1 : 5;
const whole = isShort
  ? { endpoints: 20, events: 100, eventsPerSecond: 100 }
  : { endpoints: 1_000, events: 10_000, eventsPerSecond: 400 };
const none = { hanging: 0, refusing: 0, slow: 0 };
const bad = isShort ? { hanging: 2, refusing: 2, slow: 2 } : { hanging: 50, refusing: 50, slow: 50 };

async function main(ownerUrl: string): Promise<void> {
  const measure = async (options: FairnessOptions): Promise<number> => {
    const service = await openWebhookService(ownerUrl, 10);
    try {
      const { p95Ms, received, expected } = await measureFairness(
        { query: service.query, keyRing: benchKeyRing, deps: service.deps },
        options,
      );
      console.log(
        `${options.hanging + options.refusing + options.slow} bad: p95 ${p95Ms} ms, ${received} of ${expected} received`,
      );
      if (received < expected) process.exitCode = 1;
      return p95Ms;
    } finally {
      await service.close();
    }
  };
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const without = await measure({ ...whole, ...none });
    const withBad = await measure({ ...whole, ...bad });
    ratios.push(withBad / without);
  }
  const ratio = percentile(ratios, 0.5);
  console.log(`ratio webhooks.fairness ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio <= bar) && !isShort) process.exitCode = 1;
}

const ownerUrl = process.env.DATABASE_OWNER_URL;
if (ownerUrl === undefined)
  throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench webhooks-fairness.');
await main(ownerUrl);
