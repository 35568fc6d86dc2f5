import { setTimeout as sleep } from 'node:timers/promises';
import { type Side, type Watched, watch } from '../measure/blocks.ts';
import { startBare } from './bare-caller.ts';
import type { Checkout } from './checkout.ts';
import type { LineCounts } from './lines.ts';
import { type Caller, runRound } from './load.ts';
import { type CallPlatform, startCallPlatform } from './platform.ts';
import { prepareParties, untilConnected } from './preparation.ts';
import { printRound } from './report.ts';
import { openServiceCaller, type TracedCaller } from './service-caller.ts';
import { ordinary, type Variant } from './variants.ts';

/** A side of the comparison of calls. */
export interface CallSide {
  caller: Caller;
  watched: Watched[];
}

export interface ServiceSide extends CallSide {
  caller: TracedCaller;
  platform: CallPlatform;
  startBareSide(): Promise<CallSide>;
}

export type Keep = <T extends { stop(): Promise<void> }>(each: T) => T;

export interface ServiceOptions {
  adminUrl: string;
  postgres: number;
  name: string;
  checkout: Checkout;
  counts: LineCounts;
  variant?: Variant;
  profile?: boolean;
  traced?: boolean;
}

/** Work that follows the end of a call, such as numbering its events, takes up to this long. */
const settleMs = 1_000;

/** Starts the whole service with its parties, and the variant's conditions. */
export async function startServiceSide(options: ServiceOptions, keep: Keep): Promise<ServiceSide> {
  const { variant = ordinary, postgres, name } = options;
  const platform = keep(await startCallPlatform(options));
  const lines = await prepareParties(platform, keep, variant.counts ?? options.counts);
  await variant.prepare?.(platform, lines, keep);
  const programs = await Promise.all(
    (['api', 'worker', 'voice', 'shipper'] as const).map(async (program) =>
      watch(program, keep(await platform.start(program))),
    ),
  );
  await untilConnected(platform, variant.nodes ?? 1);
  const { nodes, edge, redis } = platform;
  const shared = [watch('Kamailio', edge), watch('Redis', redis), watch('PostgreSQL', { pid: postgres })];
  const caller = openServiceCaller({ ...platform, lines: variant.choose?.(lines) ?? lines });
  return {
    platform,
    caller: { ...caller, name },
    watched: [...programs, watch('Asterisk', ...nodes.map(({ node }) => node)), ...shared],
    async startBareSide() {
      const bare = keep(await startBare(platform, lines));
      return { caller: bare.caller, watched: [...bare.watched, ...shared] };
    },
  };
}

/** Returns a side that places calls at a fixed rate. Failed calls are reported and fail the benchmark. */
export const loadedSide = (
  { caller, watched }: CallSide,
  rate: number,
  blockMs: number,
  prepare: () => Promise<void> = async () => undefined,
): Side => ({
  name: caller.name,
  watched,
  prepare,
  async load() {
    const round = await runRound(caller, rate, blockMs);
    await sleep(settleMs);
    if (round.failed > 0) {
      printRound(caller)(round);
      process.exitCode = 1;
    }
    return { units: round.calls - round.failed, values: { p50Ms: round.p50Ms, p95Ms: round.p95Ms } };
  },
});
