import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { previousRelease } from '../../../../tools/dev/previous-release.ts';
import { removeBudgets } from '../../harness/budgets.ts';
import { type HostCell, startHostCell } from '../../harness/hosts/cell.ts';
import { runOnce } from '../../harness/hosts/host-services.ts';
import { installRelease } from '../../harness/hosts/release.ts';
import { proveEndpoints } from '../../harness/proven-endpoints.ts';
import { until } from '../../harness/until.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import { auditMoney } from '../chaos/idle.ts';
import { type CallRecord, readRecords } from '../chaos/records.ts';
import { checkCalls } from '../failover/check-calls.ts';
import { longestGap, startAsking } from '../failover/measures.ts';
import { type DialledCall, startDialling } from '../many-nodes/dial-calls.ts';
import type { Customer, Line } from '../many-nodes/line.ts';
import { makeLines } from '../many-nodes/make-lines.ts';
import { type PlacedCall, startCalling } from '../many-nodes/place-calls.ts';
import { reconcileEvents, untilIdle } from '../many-nodes/rolling-faults.ts';
import { checkLongCall, type LongCalls, startLongCalls } from './long-calls.ts';
import { appSteps, disca, edgeSteps, folderOf, mediaSteps, type UpgradeStep } from './replace-release.ts';

export interface UpgradeReport {
  from: string;
  steps: TakenStep[];
  /** The longest time without a successful response, an answered call and a delivered webhook. */
  gapMs: { api: number; calls: number; webhooks: number };
  accepted: number;
  dialled: number;
  /** Calls that were not connected while an edge was replaced, which the manual allows. */
  lostRinging: number;
  /** Calls that talked while all services except the media nodes were replaced, and for how many seconds. */
  longCalls: number[];
  /** What must never happen: failed requests, lost, doubled or wrongly charged calls, lost webhooks, dropped calls. */
  faults: string[];
}

interface TakenStep {
  direction: 'upgrade' | 'back';
  name: string;
  losesRinging: boolean;
  atMs: number;
  endedAtMs: number;
}

const rate = 2;
const dialledPerSecond = 0.5;
const requestsPerSecond = 5;
const calmMs = 5_000;
/** Softphones answer immediately, so a call that is ringing was placed shortly before. A new edge reads its peers first. */
const ringingMs = 5_000;

type OnStep = (what: string) => void;

/**
 * Starts a cell on hosts with the previous release, upgrades it to this checkout and goes back, in the order of
 * docs/operate/upgrade.md, while calls are placed, and reports whether anything was lost.
 */
export async function runUpgrade(onStep: OnStep = () => undefined): Promise<UpgradeReport> {
  const release = previousRelease();
  const sources = mkdtempSync(inDev('release-'));
  let keepsLogs = true;
  let cell: HostCell | undefined;
  try {
    await installRelease(release, sources);
    onStep(`starting a cell with ${release.version}`);
    cell = await startHostCell({
      sources,
      // The previous release has no certificates of media nodes.
      voiceTls: 'optional',
      server: { RATE_LIMIT_SCALE: '1000' },
      onStep,
    });
    await removeBudgets(cell.ownerUrl);
    await proveEndpoints(cell.ownerUrl);
    const report = await upgradeAndBack(cell, sources, onStep);
    keepsLogs = report.faults.length > 0;
    return { from: release.version, ...report };
  } finally {
    if (keepsLogs && cell) onStep(`the logs are in ${cell.dir}`);
    await cell?.stop(keepsLogs);
    rmSync(sources, { recursive: true });
  }
}

async function upgradeAndBack(
  cell: HostCell,
  old: string,
  onStep: OnStep,
): Promise<Omit<UpgradeReport, 'from'>> {
  const receiver = await startReceiver({ address: cell.network.address });
  try {
    const { created, lines } = await makeLines(cell, receiver.url);
    onStep(`${lines.length} softphones are registered; calling`);
    const load = startLoad(lines);
    await sleep(calmMs);
    const { steps, long } = await takeSteps(cell, created, old, onStep);
    await sleep(calmMs);
    const done = await load.stop();
    onStep('waiting until no call is left');
    return await judge(cell, { created, receiver, steps, long, ...done });
  } finally {
    await receiver.stop();
  }
}

function startLoad(lines: Line[]) {
  const startedAtMs = Date.now();
  const calling = startCalling(lines, rate);
  const dialling = startDialling(lines, dialledPerSecond);
  const asking = startAsking(lines, requestsPerSecond);
  return {
    async stop() {
      const [placed, dialled, asked] = await Promise.all([calling.stop(), dialling.stop(), asking.stop()]);
      return { placed, dialled, asked, startedAtMs, endedAtMs: Date.now() };
    },
  };
}

/** Upgrades and goes back, with calls that last while everything except the media nodes is replaced twice. */
async function takeSteps(
  cell: HostCell,
  customers: Customer[],
  old: string,
  onStep: OnStep,
): Promise<{ steps: TakenStep[]; long: LongCalls }> {
  const steps: TakenStep[] = [];
  const take = async (direction: TakenStep['direction'], planned: UpgradeStep[]): Promise<void> => {
    for (const { name, losesRinging, run } of planned) {
      const atMs = Date.now();
      await run();
      steps.push({ direction, name, losesRinging, atMs, endedAtMs: Date.now() });
      onStep(`${direction}: ${name}, ${((Date.now() - atMs) / 1_000).toFixed(1)} s`);
    }
  };
  const migrate: UpgradeStep = {
    name: 'migrate',
    losesRinging: false,
    run: async () => onStep((await disca(cell, root, 'migrate')).trim()),
  };
  await take('upgrade', [migrate, ...mediaSteps(cell, root)]);
  const long = await startLongCalls(cell, customers);
  await take('upgrade', [...appSteps(cell, root), ...edgeSteps(cell, root)]);
  await untilEncrypted(cell);
  onStep('HA1s are encrypted');
  await sleep(calmMs);
  const unseal: UpgradeStep = {
    name: 'keys unseal',
    losesRinging: false,
    run: async () => onStep((await disca(cell, root, 'keys', 'unseal', '--wait')).trim()),
  };
  await take('back', [unseal, ...edgeSteps(cell, old), ...appSteps(cell, old)]);
  await long.hangUp();
  await take('back', mediaSteps(cell, old));
  // At boot, the previous release prepares a database that the new one has migrated.
  await runOnce(cell.host('app1'), 'prepare', folderOf(cell, 'app1'), { sources: old });
  return { steps, long };
}

/** Waits until HA1s are stored only encrypted, which edges of the previous release cannot read. */
const untilEncrypted = (cell: HostCell): Promise<unknown> =>
  until(async () => {
    const rows = await cell.query('select from extensions where ha1 is not null');
    return rows.length === 0;
  }, 'HA1s are encrypted');

interface Outcome {
  created: Customer[];
  receiver: Receiver;
  steps: TakenStep[];
  long: LongCalls;
  placed: PlacedCall[];
  dialled: DialledCall[];
  asked: { askedAtMs: number; atMs: number; fault: string | undefined }[];
  startedAtMs: number;
  endedAtMs: number;
}

async function judge(cell: HostCell, outcome: Outcome): Promise<Omit<UpgradeReport, 'from'>> {
  const { created, receiver, steps, long, placed, dialled, asked, startedAtMs, endedAtMs } = outcome;
  const quiet = await untilIdle(cell);
  const records = await readRecords(cell);
  const wasAnswered = new Set(records.filter((each) => each.answeredAtMs !== null).map(({ id }) => id));
  const unanswered = placed
    .filter(({ id }) => id !== undefined && !wasAnswered.has(id))
    .map(({ id, askedAtMs }) => ({ atMs: askedAtMs, what: `${id} was not answered` }));
  const notConnected = dialled
    .filter(({ fault }) => fault !== undefined)
    .map(({ begunAtMs, fault }) => ({ atMs: begunAtMs, what: `a dialled call: ${fault}` }));
  const lost = [...unanswered, ...notConnected];
  const unexpected = lost.filter(({ atMs }) => !wasRinging(steps, atMs));
  const isLong = ({ id }: CallRecord): boolean => long.placed.some((each) => each.id === id);
  const gap = (times: number[]): number => longestGap([startedAtMs, ...times, endedAtMs]);
  const successes = asked.filter((each) => each.fault === undefined);
  return {
    steps,
    gapMs: {
      api: gap(successes.map((each) => each.atMs)),
      calls: gap(records.flatMap(({ answeredAtMs }) => answeredAtMs ?? [])),
      webhooks: gap(receiver.received.map((each) => each.atMs)),
    },
    accepted: placed.filter(({ id }) => id !== undefined).length,
    dialled: dialled.length,
    lostRinging: lost.length - unexpected.length,
    longCalls: records.filter(isLong).map(({ duration }) => duration),
    faults: [
      ...quiet.faults,
      ...[...placed, ...asked].flatMap(({ askedAtMs, fault }) =>
        fault ? [`${stepAt(steps, askedAtMs)}: ${fault}`] : [],
      ),
      ...unexpected.map(({ atMs, what }) => `${stepAt(steps, atMs)}: ${what}`),
      ...long.faults,
      ...checkCalls([...placed, ...long.placed], records, receiver, isLong),
      ...records.filter(isLong).flatMap(checkLongCall),
      ...ungracefulStops(cell),
      ...(await auditMoney(cell, records)),
      ...(await reconcileEvents(created)),
    ],
  };
}

const wasRinging = (steps: TakenStep[], atMs: number): boolean =>
  steps.some(
    (step) => step.losesRinging && step.atMs - ringingMs < atMs && atMs < step.endedAtMs + ringingMs,
  );

function stepAt(steps: TakenStep[], atMs: number): string {
  const step = steps.find((each) => each.endedAtMs > atMs);
  if (!step) return 'after the last step';
  return `${step.atMs > atMs ? 'before ' : ''}${step.direction}, ${step.name}`;
}

/** Each process was stopped twice: for the upgrade, and for going back. */
function ungracefulStops(cell: HostCell): string[] {
  const programs = [
    ...['app1', 'app2'].flatMap((host) => ['api', 'worker', 'voice'].map((name) => ({ host, name }))),
    ...['media1', 'media2'].map((host) => ({ host, name: 'shipper' })),
  ];
  return programs
    .map(({ host, name }) => ({
      what: `${name} of ${host}`,
      log: readFileSync(join(folderOf(cell, host), `var/log/${name}.log`), 'utf8'),
    }))
    .filter(({ log }) => log.split('"stopped"').length !== 3)
    .map(({ what }) => `${what} did not stop gracefully`);
}
