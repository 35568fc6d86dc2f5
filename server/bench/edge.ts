import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { asText, edgeAddresses, mediaNodeAddress } from '../../tools/dev/voice/cell.ts';
import { addCrowd, registerCrowd } from '../test/scenarios/edge-endurance/crowd-rows.ts';
import { callPhone, startRequests } from '../test/scenarios/edge-endurance/legitimate-phones.ts';
import type { BenchLine } from './calls/lines.ts';
import { type CallPlatform, startCallPlatform } from './calls/platform.ts';
import { prepareParties, untilConnected } from './calls/preparation.ts';
import { openServiceCaller } from './calls/service-caller.ts';
import { percentile } from './calls-list.ts';
import { startBareEdge } from './edge/bare-edge.ts';
import { runFlood } from './edge/flood.ts';
import { watchNode } from './edge/node-messages.ts';
import { runStorm } from './edge/storm.ts';
import { type Corner, compareCorners, openCorner, pickPhone, type Times } from './edge/tables.ts';
import { startTwin } from './edge/twin.ts';
import { processorSeconds, readParentPid } from './processor-time.ts';

/**
 * The edge with 100,000 registered extensions: duration of logins and calls compared with a small edge; a registration
 * storm after a restart, compared with Kamailio's own registrar; and malformed messages while the service places calls.
 * `--extensions N`, `--phones N` (in the storm), `--rate N` (malformed per second), `--seconds N` (of the flood), `--only
 * tables|storm|flood`.
 */
const bars = { tables: 2, storm: 0.6, stormCalls: 0.99, flood: 0.999 };
const fewExtensions = 100;
const workers = 4;
const stormRounds = 2;
const callsPerSecond = 10;
const tcpShare = 5;
const restMs = 20_000;

const { values: options } = parseArgs({
  options: {
    extensions: { type: 'string', default: '100000' },
    phones: { type: 'string', default: '5000' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});
const extensions = Number(options.extensions);
const stormPhones = Number(options.phones);
const does = (part: string): boolean => options.only === undefined || options.only === part;

type Keep = <T extends { stop(): Promise<void> }>(each: T) => T;

async function main(adminUrl: string): Promise<void> {
  const platform = await startCallPlatform({ adminUrl, name: 'edge' });
  const running: { stop(): Promise<void> }[] = [platform];
  const keep: Keep = (each) => {
    running.unshift(each);
    return each;
  };
  try {
    const lines = await prepareParties(platform, keep);
    await addCrowd(platform.query, extensions);
    await registerCrowd(platform.query, extensions, platform.edgePlace);
    await platform.edge.restart('kill');
    await measureRest(platform, await postgresPid(platform));
    if (does('tables')) await measureTables(adminUrl, platform, keep);
    if (does('storm')) await measureStorm(platform, keep);
    if (does('flood')) await measureFlood(platform, lines, keep);
  } finally {
    for (const each of running) await each.stop();
  }
}

/** Measures the edge with idle phones: it only keeps their connections open. */
async function measureRest(platform: CallPlatform, postgres: number): Promise<void> {
  const now = (): number[] => [processorSeconds(platform.edge.pid), processorSeconds(postgres)];
  const before = now();
  await sleep(restMs);
  const [edge, database] = now().map((seconds, index) => ((seconds - (before[index] ?? 0)) * 1000) / restMs);
  console.log(
    `idle: Kamailio ${edge?.toFixed(3)} cores, PostgreSQL ${database?.toFixed(3)} cores for ${extensions} phones`,
  );
}

async function measureTables(adminUrl: string, platform: CallPlatform, keep: Keep): Promise<void> {
  const large = await openCorner('many', edgeAddresses(platform.cell), platform.query, extensions);
  const twin = keep(await startTwin(adminUrl, platform.dir, fewExtensions));
  const small = await openCorner('few', twin.place, twin.query, fewExtensions);
  const times = await compareCorners([small, large]);
  await Promise.all([small.close(), large.close()]);
  await twin.edge.stop('kill');
  for (const what of ['fresh', 'refresh', 'call'] as const) {
    const median = (name: string): number => percentile((times.get(name) as Times)[what], 0.5);
    judge(`edge.tables.${what}`, median('many') / median('few'), bars.tables, 'most');
  }
}

async function measureStorm(platform: CallPlatform, keep: Keep): Promise<void> {
  const barePlace = { address: `${platform.cell.network}.52`, port: platform.cell.port };
  const bare = keep(await startBareEdge(platform.dir, barePlace, platform.edgeUrl, platform.query, workers));
  const postgres = await postgresPid(platform);
  const plan = { postgres, phones: stormPhones, from: 0, transport: 'udp' } as const;
  const ours = { ...plan, name: 'disca', engine: platform.edge, place: platform.edgePlace };
  const rates = { ours: 0, bare: 0 };
  const calls = { asked: 0, failed: 0 };
  let failed = 0;
  for (let round = 0; round < stormRounds; round += 1) {
    const corner = await openHonest(platform);
    const storm = await runStorm(ours, () =>
      startRequests(callsPerSecond, (index) => callPhone(corner.node, pickPhone(corner, index))),
    );
    await corner.close();
    failed += storm.failed;
    calls.asked += storm.calls.asked;
    calls.failed += storm.calls.failed;
    rates.ours += storm.perSecond;
    rates.bare += (await runStorm({ ...plan, name: 'bare', engine: bare, place: barePlace })).perSecond;
  }
  const byStream = { ...ours, phones: Math.ceil(stormPhones / tcpShare), from: stormPhones };
  failed += (await runStorm({ ...byStream, transport: 'tcp' })).failed;
  judge('edge.storm', rates.ours / rates.bare, bars.storm, 'least');
  judge('edge.storm.calls', 1 - calls.failed / calls.asked, bars.stormCalls, 'least', 3);
  if (failed > 0) process.exitCode = 1;
}

async function measureFlood(platform: CallPlatform, lines: BenchLine[], keep: Keep): Promise<void> {
  const seen = await watchNode(platform.node);
  for (const name of ['api', 'worker', 'voice', 'shipper'] as const) keep(await platform.start(name));
  await untilConnected(platform);
  const corner = await openHonest(platform);
  keep({ stop: corner.close });
  const share = await runFlood({
    edge: platform.edgePlace,
    node: mediaNodeAddress(platform.cell, 1),
    caller: openServiceCaller({ ...platform, lines }),
    corner,
    engine: platform.edge,
    perSecond: Number(options.rate),
    callsPerSecond,
    lengthMs: Number(options.seconds) * 1000,
  });
  const { received, unexpected } = seen();
  console.log(
    `the media node ${asText(mediaNodeAddress(platform.cell, 1))} received ${received} messages, ${unexpected.length} of them not from its own calls`,
  );
  for (const line of unexpected) console.log(`  ${line}`);
  judge('edge.flood', share, bars.flood, 'least', 4);
  if (unexpected.length > 0 || received === 0) process.exitCode = 1;
}

/** Opens phones of legitimate users, which register once, before the measurement, and stay registered. */
const openHonest = ({ cell, query }: CallPlatform): Promise<Corner> =>
  openCorner('honest', edgeAddresses(cell), query, extensions);

async function postgresPid({ query }: CallPlatform): Promise<number> {
  const [row] = await query('select pg_backend_pid() as pid');
  return readParentPid(Number(row?.pid));
}

function judge(name: string, value: number, bar: number, kind: 'most' | 'least', digits = 2): void {
  console.log(`ratio ${name} ${value.toFixed(digits)} (bar ${bar.toFixed(digits)})`);
  if (!(kind === 'most' ? value <= bar : value >= bar)) process.exitCode = 1;
}

const { DATABASE_OWNER_URL: adminUrl } = process.env;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench edge.');
await main(adminUrl);
