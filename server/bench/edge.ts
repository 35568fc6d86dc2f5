import { parseArgs } from 'node:util';
import type { RunningKamailio } from '../../tools/dev/services/kamailio.ts';
import { asText, edgeAddresses, mediaNodeAddress, type SipAddress } from '../../tools/dev/voice/cell.ts';
import { addCrowd, registerCrowd } from '../test/scenarios/edge-endurance/crowd-rows.ts';
import { callPhone, startRequests } from '../test/scenarios/edge-endurance/legitimate-phones.ts';
import { type BenchLine, usualLines } from './calls/lines.ts';
import { type CallPlatform, startCallPlatform } from './calls/platform.ts';
import { prepareParties, untilConnected } from './calls/preparation.ts';
import { openServiceCaller } from './calls/service-caller.ts';
import { percentile } from './calls-list.ts';
import { startBareEdge } from './edge/bare-edge.ts';
import { runFlood } from './edge/flood.ts';
import { loginSide } from './edge/logins.ts';
import { watchNode } from './edge/node-messages.ts';
import { runStorm } from './edge/storm.ts';
import { type Corner, compareCorners, openCorner, pickPhone, type Times } from './edge/tables.ts';
import { startTwin } from './edge/twin.ts';
import { measureIdle, watch } from './measure/blocks.ts';
import { type Calibration, openCalibration } from './measure/calibration.ts';
import { pinGenerator, pinService } from './measure/machine.ts';
import { comparePairs, estimateRatio } from './measure/pairs.ts';
import { judge, judgeEstimate, printBlock, reportCosts } from './measure/report.ts';
import { estimate } from './measure/statistics.ts';

/**
 * The edge with 100,000 registered extensions: duration of logins and calls compared with a small edge; CPU time per
 * login, and a registration storm after a restart, compared with Kamailio's own registrar; and malformed messages while
 * the service places calls. `--extensions N`, `--phones N` and `--arrivals N` per second (in the storm), `--logins N` per
 * second, `--block N` seconds, `--pairs N`, `--rate N` (malformed per second), `--seconds N` (of the flood), `--only
 * tables|logins|storm|flood`, `--short`.
 */
const bars = { tables: 2, logins: 0.85, storm: 0.85, stormCalls: 0.99, flood: 0.999 };
const workers = 4;
const callsPerSecond = 10;
const tcpShare = 5;
/** Largest share of requests that may be retransmitted at 85 % of the capacity. */
const maxRepeated = 0.01;

const { values: given } = parseArgs({
  options: {
    extensions: { type: 'string' },
    phones: { type: 'string' },
    arrivals: { type: 'string' },
    logins: { type: 'string' },
    block: { type: 'string' },
    pairs: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const isShort = given.short;
const option = (text: string | undefined, usual: number, short: number): number =>
  Number(text ?? (isShort ? short : usual));
const extensions = option(given.extensions, 100_000, 200);
const fewExtensions = isShort ? 50 : 100;
const stormPhones = option(given.phones, 5_000, 20);
const arrivals = option(given.arrivals, 500, 20);
const logins = option(given.logins, 100, 20);
const blockSeconds = option(given.block, 20, 1);
const pairs = option(given.pairs, 8, 1);
const stormPairs = isShort ? 1 : 4;
const floodRate = option(given.rate, 2_000, 200);
const floodSeconds = option(given.seconds, 60, 1);
const peaceMs = isShort ? 500 : 10_000;
const restMs = isShort ? 500 : 20_000;
const tableRounds = isShort ? { rounds: 1, each: 2 } : { rounds: 10, each: 20 };
const counts = isShort ? { accounts: 1, each: 4 } : usualLines;
const does = (part: string): boolean => given.only === undefined || given.only === part;

type Keep = <T extends { stop(): Promise<void> }>(each: T) => T;

async function main(adminUrl: string): Promise<void> {
  pinGenerator();
  const calibration = await openCalibration(adminUrl);
  const running: { stop(): Promise<void> }[] = [{ stop: calibration.close }];
  const keep: Keep = (each) => {
    running.unshift(each);
    return each;
  };
  try {
    const platform = keep(await startCallPlatform({ adminUrl, name: 'edge' }));
    const lines = await prepareParties(platform, keep, counts);
    await addCrowd(platform.query, extensions);
    await registerCrowd(platform.query, extensions, platform.edgePlace);
    await restartEdge(platform);
    await measureRest(platform, calibration);
    if (does('tables')) await measureTables(adminUrl, platform, keep);
    if (does('logins') || does('storm')) await compareWithBare(platform, calibration, keep);
    if (does('flood')) await measureFlood(platform, lines, keep);
  } finally {
    for (const each of running) await each.stop();
  }
}

async function restartEdge({ edge }: CallPlatform): Promise<void> {
  await edge.restart('kill');
  pinService(edge.pid);
}

/** Measures the edge with idle phones: it only keeps their connections open. */
async function measureRest({ edge }: CallPlatform, calibration: Calibration): Promise<void> {
  const watched = [watch('Kamailio', edge), watch('PostgreSQL', { pid: calibration.postgres })];
  const idle = await measureIdle(watched, restMs, calibration);
  for (const [name, ms] of idle)
    console.log(`idle: ${name} ${(ms / 1000).toFixed(3)} CPUs for ${extensions} phones`);
}

async function measureTables(adminUrl: string, platform: CallPlatform, keep: Keep): Promise<void> {
  const large = await openCorner('many', edgeAddresses(platform.cell), platform.query, extensions);
  const twin = keep(await startTwin(adminUrl, platform.dir, fewExtensions));
  const small = await openCorner('few', twin.place, twin.query, fewExtensions);
  const times = await compareCorners([small, large], tableRounds.rounds, tableRounds.each);
  await Promise.all([small.close(), large.close()]);
  await twin.edge.stop('kill');
  for (const what of ['fresh', 'refresh', 'call'] as const) {
    const median = (name: string): number => percentile((times.get(name) as Times)[what], 0.5);
    judge(`edge.tables.${what}`, median('many') / median('few'), { bar: bars.tables, kind: 'most', isShort });
  }
}

interface Registrar {
  name: string;
  engine: RunningKamailio;
  place: SipAddress;
}

async function compareWithBare(platform: CallPlatform, calibration: Calibration, keep: Keep): Promise<void> {
  const place = { address: `${platform.cell.network}.52`, port: platform.cell.port };
  const engine = keep(await startBareEdge(platform.dir, place, platform.edgeUrl, platform.query, workers));
  const bare: Registrar = { name: 'bare', engine, place };
  const ours: Registrar = { name: 'disca', engine: platform.edge, place: platform.edgePlace };
  if (does('logins')) await measureLogins(ours, bare, calibration);
  if (does('storm')) await measureStorm(platform, ours, bare);
}

async function measureLogins(ours: Registrar, bare: Registrar, calibration: Calibration): Promise<void> {
  const plan = { postgres: calibration.postgres, perSecond: logins, seconds: blockSeconds };
  const [a, b] = [loginSide({ ...ours, ...plan }), loginSide({ ...bare, ...plan })];
  for (const side of [a, b]) await side.load();
  const comparison = await comparePairs(a, b, {
    pairs,
    idleMs: restMs,
    calibration,
    isShort,
    onBlock: printBlock,
  });
  const capacity = reportCosts('edge.logins', comparison, { isShort });
  const swapped = comparison.pairs.map((pair) => ({ a: pair.b, b: pair.a }));
  const ratio = estimateRatio(swapped, ({ costMs }) => costMs);
  judgeEstimate('edge.logins', ratio, { bar: bars.logins, kind: 'least', isShort });
  if (!isShort) await confirmCapacity(ours, Math.floor(capacity * 0.85), calibration.postgres);
}

/** Logs in at 85 % of the derived capacity. */
async function confirmCapacity(ours: Registrar, perSecond: number, postgres: number): Promise<void> {
  const { units, values } = await loginSide({ ...ours, postgres, perSecond, seconds: blockSeconds }).load();
  const repeated = (values?.retransmissions ?? 0) / units;
  const isClean = repeated <= maxRepeated;
  console.log(
    `edge.confirmed: capacity ${isClean ? 'confirmed' : 'not confirmed'} at 85 %, ${perSecond} logins/s, ` +
      `${(repeated * 100).toFixed(1)} % retransmitted`,
  );
  if (!isClean) process.exitCode = 1;
}

/** Compares the time to 95 % in alternating order. One more storm over TCP carries calls. */
async function measureStorm(platform: CallPlatform, ours: Registrar, bare: Registrar): Promise<void> {
  const plan = { phones: stormPhones, from: 0, arrivals, transport: 'udp' } as const;
  const ratios: number[] = [];
  let failed = 0;
  for (let pair = 0; pair < stormPairs; pair += 1) {
    const backMs = new Map<Registrar, number>();
    for (const registrar of pair % 2 === 0 ? [ours, bare] : [bare, ours]) {
      const storm = await runStorm({ ...plan, ...registrar });
      backMs.set(registrar, storm.backMs);
      if (registrar === ours) failed += storm.failed;
    }
    ratios.push((backMs.get(bare) ?? 0) / (backMs.get(ours) ?? 0));
  }
  const corner = await openHonest(platform);
  const phones = Math.ceil(stormPhones / tcpShare);
  const storm = await runStorm({ ...plan, ...ours, phones, from: stormPhones, transport: 'tcp' }, () =>
    startRequests(callsPerSecond, (index) => callPhone(corner.node, pickPhone(corner, index))),
  );
  await corner.close();
  judgeEstimate('edge.storm', estimate(ratios), { bar: bars.storm, kind: 'least', isShort });
  const share = 1 - storm.calls.failed / storm.calls.asked;
  judge('edge.storm.calls', share, { bar: bars.stormCalls, kind: 'least', digits: 3, isShort });
  if (failed + storm.failed > 0) process.exitCode = 1;
}

async function measureFlood(platform: CallPlatform, lines: BenchLine[], keep: Keep): Promise<void> {
  const seen = await watchNode(platform.node);
  const programs = ['api', 'worker', 'voice', 'shipper'] as const;
  await Promise.all(programs.map(async (name) => keep(await platform.start(name))));
  await untilConnected(platform);
  const corner = await openHonest(platform);
  keep({ stop: corner.close });
  const share = await runFlood({
    edge: platform.edgePlace,
    node: mediaNodeAddress(platform.cell, 1),
    caller: openServiceCaller({ ...platform, lines }),
    corner,
    engine: platform.edge,
    perSecond: floodRate,
    callsPerSecond,
    lengthMs: floodSeconds * 1000,
    peaceMs,
  });
  const { received, unexpected } = seen();
  console.log(
    `the media node ${asText(mediaNodeAddress(platform.cell, 1))} received ${received} messages, ${unexpected.length} of them not from its own calls`,
  );
  for (const line of unexpected) console.log(`  ${line}`);
  judge('edge.flood', share, { bar: bars.flood, kind: 'least', digits: 4, isShort });
  if (unexpected.length > 0 || received === 0) process.exitCode = 1;
}

/** Opens phones of legitimate users, which register once, before the measurement, and stay registered. */
const openHonest = ({ cell, query }: CallPlatform): Promise<Corner> =>
  openCorner('honest', edgeAddresses(cell), query, extensions);

const { DATABASE_OWNER_URL: adminUrl } = process.env;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench edge.');
await main(adminUrl);
