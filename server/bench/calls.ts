import { parseArgs } from 'node:util';
import { openCommit, thisCheckout } from './calls/checkout.ts';
import { usualLines } from './calls/lines.ts';
import { runRound } from './calls/load.ts';
import { printRound, reportAgainstBare, reportRelative } from './calls/report.ts';
import { type CallSide, type Keep, loadedSide, startServiceSide } from './calls/side.ts';
import { reportStatements } from './calls/statements.ts';
import { traceCalls } from './calls/trace.ts';
import { findVariant, type Variant } from './calls/variants.ts';
import { openCalibration } from './measure/calibration.ts';
import { pinGenerator } from './measure/machine.ts';
import { comparePairs } from './measure/pairs.ts';
import { printBlock, reportCosts } from './measure/report.ts';

/**
 * Click-to-call through the whole service: CPU time per call at a fixed rate, compared with the minimal prepaid service
 * (`calls/bare-process.ts`), with another commit (`--against COMMIT`) or with the small platform (`--variant NAME`). No
 * audio, no recording; calls of 1.5 s. `--rate N` calls per second, `--seconds N` per block, `--pairs N`, `--profile`
 * keeps CPU profiles, `--trace N` places N calls one at a time and prints the time of each hop, `--statements` prints the
 * statements of the database per call, `--short` checks in seconds that the benchmark works.
 */
const { values: given } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string' },
    pairs: { type: 'string' },
    against: { type: 'string' },
    variant: { type: 'string' },
    profile: { type: 'boolean', default: false },
    trace: { type: 'string' },
    statements: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});
const isShort = given.short;
/** Two whole services share one CPU with --against and --variant. */
const usualRate = given.against === undefined && given.variant === undefined ? 20 : 8;
const rate = Number(given.rate ?? (isShort ? 4 : usualRate));
const blockMs = Number(given.seconds ?? (isShort ? 2 : 20)) * 1000;
const pairs = Number(given.pairs ?? (isShort ? 1 : 8));
const idleMs = isShort ? 1_000 : 20_000;
/** Long enough for the JIT compiler, which needs thousands of calls. */
const warmUpMs = isShort ? 1_000 : 120_000;
const traceWarmUpMs = 20_000;
const counts = isShort ? { accounts: 2, each: 2 } : usualLines;
const confirmed = { share: 0.85, ms: isShort ? 2_000 : 30_000, slowestP95Ms: 1_000 };

interface Shared {
  adminUrl: string;
  postgres: number;
  counts: typeof counts;
}

async function main(adminUrl: string): Promise<void> {
  pinGenerator();
  const calibration = await openCalibration(adminUrl);
  const running: { stop(): Promise<void> }[] = [{ stop: calibration.close }];
  const keep: Keep = (each) => {
    running.unshift(each);
    return each;
  };
  try {
    const shared = { adminUrl, postgres: calibration.postgres, counts };
    if (given.trace !== undefined) return await trace(shared, keep, Number(given.trace));
    if (given.statements) return await statements(shared, keep);
    const variant = given.variant === undefined ? undefined : findVariant(given.variant, isShort);
    const { ours, other } = await startSides(shared, keep, variant);
    for (const side of [ours, other]) await runRound(side.caller, rate, warmUpMs);
    const a = loadedSide(ours, rate, blockMs, () => variant?.toggle?.(true) ?? Promise.resolve());
    const b = loadedSide(other, rate, blockMs, () => variant?.toggle?.(false) ?? Promise.resolve());
    const comparison = await comparePairs(a, b, { pairs, idleMs, calibration, isShort, onBlock: printBlock });
    const capacity = reportCosts('calls', comparison, { isShort });
    if (given.against !== undefined) reportRelative('against', comparison);
    else if (given.variant !== undefined) reportRelative(given.variant, comparison);
    else {
      reportAgainstBare(comparison, isShort);
      await confirmCapacity(ours, capacity);
    }
  } finally {
    for (const each of running) await each.stop();
  }
}

/** Traces calls of this checkout or, with --against, of a commit. */
async function trace(shared: Shared, keep: Keep, calls: number): Promise<void> {
  const checkout = given.against === undefined ? await thisCheckout() : keep(await openCommit(given.against));
  const side = await startServiceSide({ ...shared, name: 'trace', checkout, traced: true }, keep);
  console.log('trace: the service has started');
  await runRound(side.caller, rate, traceWarmUpMs);
  await traceCalls(side.platform, side.caller, calls);
}

/** Prints the statements of this checkout or, with --against, of a commit. */
async function statements(shared: Shared, keep: Keep): Promise<void> {
  const checkout = given.against === undefined ? await thisCheckout() : keep(await openCommit(given.against));
  const { platform, caller } = await startServiceSide({ ...shared, name: 'statements', checkout }, keep);
  await runRound(caller, rate, traceWarmUpMs);
  await reportStatements(platform.query, caller, { rate, ms: blockMs });
}

/** Starts the service and what it is compared with. Both run during the whole benchmark. */
async function startSides(
  shared: Shared,
  keep: Keep,
  variant: Variant | undefined,
): Promise<{ ours: CallSide; other: CallSide }> {
  const { profile } = given;
  const checkout = await thisCheckout();
  const ours = await startServiceSide(
    {
      ...shared,
      name: given.variant === undefined ? 'disca' : 'variant',
      checkout,
      profile,
      ...(variant && { variant }),
    },
    keep,
  );
  if (given.against !== undefined) {
    const old = keep(await openCommit(given.against));
    return { ours, other: await startServiceSide({ ...shared, name: 'against', checkout: old }, keep) };
  }
  if (variant) return { ours, other: await startServiceSide({ ...shared, name: 'small', checkout }, keep) };
  return { ours, other: await ours.startBareSide() };
}

/** Places calls at 85 % of the derived capacity. */
async function confirmCapacity({ caller }: CallSide, capacity: number): Promise<void> {
  const round = await runRound(caller, isShort ? rate : capacity * confirmed.share, confirmed.ms);
  printRound(caller)(round);
  const isClean = round.failed === 0 && round.p95Ms <= confirmed.slowestP95Ms;
  console.log(`calls.confirmed: capacity ${isClean ? 'confirmed' : 'not confirmed'} at 85 %`);
  if (!isClean && !isShort) process.exitCode = 1;
}

const { DATABASE_OWNER_URL: adminUrl } = process.env;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench calls.');
await main(adminUrl);
