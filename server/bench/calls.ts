import { parseArgs } from 'node:util';
import { asText } from '../../tools/dev/voice/cell.ts';
import { openBareCaller } from './call-bare.ts';
import type { BenchLine } from './call-lines.ts';
import { type Caller, findSaturation, type Round, runRound } from './call-load.ts';
import { type CallPlatform, startCallPlatform } from './call-platform.ts';
import { prepareParties, untilConnected } from './call-preparation.ts';
import { type Cost, printRound, reportSides } from './call-report.ts';
import { openServiceCaller } from './call-service.ts';
import { processorSeconds, readParentPid } from './processor-time.ts';

/**
 * Click-to-call through the whole service, from `POST /calls` until the destination's answer is committed, against the
 * bare engines: the same edge, media node and SIPp parties in the same run, controlled by this process alone. No audio,
 * no recording; calls of 1.5 s. `--rate N` measures at one rate only, `--profile` keeps CPU profiles.
 */
const warmUpRate = 40;
const warmUpMs = 20_000;
/** Long enough for the JIT compiler, which needs thousands of calls. */
const longWarmUpMs = 120_000;
const comparedMs = 24_000;

const { values: options } = parseArgs({
  options: { rate: { type: 'string' }, profile: { type: 'boolean', default: false } },
});
const onlyRate = options.rate === undefined ? undefined : Number(options.rate);

interface Started {
  name: string;
  pid: number;
  stop(): Promise<void>;
}

async function main(adminUrl: string, redisUrl: string): Promise<void> {
  const platform = await startCallPlatform(adminUrl, redisUrl, options.profile);
  const running: { stop(): Promise<void> }[] = [platform];
  const keep = <T extends { stop(): Promise<void> }>(each: T): T => {
    running.unshift(each);
    return each;
  };
  try {
    const lines = await prepareParties(platform, keep);

    const bare = await measureBare(platform, lines);
    // Both sides start with a freshly started engine.
    await platform.node.restart();
    const programs: Started[] = [];
    for (const name of ['api', 'worker', 'voice', 'shipper'] as const)
      programs.push({ name, ...keep(await platform.start(name)) });
    const service = await measureService(platform, lines, bare.round.rate, programs);
    reportSides(bare, service);
  } finally {
    for (const each of running) await each.stop();
  }
}

async function measureBare(platform: CallPlatform, lines: BenchLine[]) {
  const { voicePort: port, idle } = platform;
  const bare = await openBareCaller({ port, carrier: asText(platform.carrier), lines, idle });
  await runRound(bare, warmUpRate, warmUpMs);
  const saturation = onlyRate === undefined ? await findSaturation(bare, printRound(bare)) : onlyRate * 2;
  const compared = await compare(platform, bare, saturation / 2, []);
  await bare.close();
  return { saturation, ...compared };
}

async function measureService(platform: CallPlatform, lines: BenchLine[], rate: number, programs: Started[]) {
  await untilConnected(platform);
  const service = openServiceCaller({ ...platform, lines });
  await runRound(service, warmUpRate, longWarmUpMs);
  const saturation = onlyRate === undefined ? await findSaturation(service, printRound(service)) : Number.NaN;
  const compared = await compare(platform, service, rate, programs);
  return { saturation, ...compared };
}

/** Runs one long round and measures the CPU cost of each participant. */
async function compare(
  platform: CallPlatform,
  caller: Caller,
  rate: number,
  programs: Started[],
): Promise<{ round: Round; costs: Cost[] }> {
  const [row] = await platform.query('select pg_backend_pid() as pid');
  const postgres = readParentPid(Number(row?.pid));
  const all = [
    ...programs,
    { name: 'PostgreSQL', pid: postgres },
    { name: 'Asterisk', pid: platform.node.pid },
    { name: 'Kamailio', pid: platform.edge.pid },
  ];
  const before = all.map(({ pid }) => processorSeconds(pid));
  const round = await runRound(caller, rate, comparedMs);
  const costs = all.map(({ name, pid }, index) => ({
    name,
    ms: ((processorSeconds(pid) - (before[index] ?? 0)) * 1000) / round.calls,
  }));
  printRound(caller)(round);
  return { round, costs };
}

const { DATABASE_OWNER_URL: adminUrl, REDIS_URL: redisUrl } = process.env;
if (adminUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench calls.');
await main(adminUrl, redisUrl);
