import { setTimeout as sleep } from 'node:timers/promises';
import { removeBudgets } from '../../harness/budgets.ts';
import { untilControlled } from '../../harness/deployments/many-nodes.ts';
import { type HostCell, type HostCellOptions, startHostCell } from '../../harness/hosts/cell.ts';
import { proveEndpoints } from '../../harness/proven-endpoints.ts';
import { startReceiver } from '../../harness/webhooks/receiver.ts';
import { auditMoney } from '../chaos/idle.ts';
import { type CallRecord, readRecords } from '../chaos/records.ts';
import { checkCalls } from '../failover/check-calls.ts';
import { isTalkingAt, longestGap, refusals, startAsking } from '../failover/measures.ts';
import type { Line } from '../many-nodes/line.ts';
import { makeLines } from '../many-nodes/make-lines.ts';
import { startCalling } from '../many-nodes/place-calls.ts';
import { reconcileEvents, untilIdle } from '../many-nodes/rolling-faults.ts';
import { type HostLoss, type HostLossName, hostLosses } from './host-losses.ts';
import { checkRecordings } from './store-checks.ts';

export interface HostLossReport {
  /** The longest time without a successful response, an answered call and a delivered webhook. */
  gapMs: { api: number; calls: number; webhooks: number };
  accepted: number;
  /** Calls and requests that failed, with the seconds since the loss. */
  refused: string[];
  /** Calls on other hosts that were talking at the loss, and those of them that their phone ended. */
  running: number;
  kept: number;
  /** Calls that the lost host carried. */
  carried: number;
  /** Accepted calls that were not answered. */
  unanswered: number;
  /** Calls that were answered, and their stored recordings. */
  answered: number;
  recordings: number;
  /** What must never happen: lost, doubled or wrongly charged calls, lost webhooks or recordings, dropped calls on other hosts. */
  faults: string[];
}

const rate = 2;
const requestsPerSecond = 5;
const lastSeenMs = 3_000;

export async function startLossCell(
  options: Pick<HostCellOptions, 'onStep' | 'withClock'> = {},
): Promise<HostCell> {
  const cell = await startHostCell({ server: { RATE_LIMIT_SCALE: '1000' }, ...options });
  await removeBudgets(cell.ownerUrl);
  await proveEndpoints(cell.ownerUrl);
  return cell;
}

/** How long the load lasts before and after the loss, and the loss itself. */
interface LossTimes {
  calmMs: number;
  outageMs: number;
}

/** The outage is longer than it takes until new calls are connected again. */
const usualTimes: LossTimes = { calmMs: 8_000, outageMs: 15_000 };

/** Places recorded calls during a loss, and reports how long nothing worked and whether anything was lost. */
export async function loseHost(
  cell: HostCell,
  name: HostLossName,
  onStep: (what: string) => void = () => undefined,
  { calmMs, outageMs }: LossTimes = usualTimes,
): Promise<HostLossReport> {
  const loss: HostLoss = hostLosses[name];
  const receiver = await startReceiver({ address: cell.network.address });
  const { created, lines } = await makeLines(cell, receiver.url, { areRecorded: true });
  onStep(`${lines.length} softphones are registered; calling`);
  const startedAtMs = Date.now();
  const calling = startCalling(lines, rate);
  const asking = startAsking(lines, requestsPerSecond);
  await sleep(calmMs);
  await loss.prepare?.(cell, lines);
  onStep(name);
  const atMs = Date.now();
  const { what, repair } = await loss.cause(cell);
  await sleep(outageMs);
  const duringFaults = (await loss.checkDuring?.(cell, lines)) ?? [];
  onStep(`repairing ${what}`);
  await repair();
  await untilControlled(cell.query, ['media1', 'media2']);
  await sleep(calmMs);
  const [placed, asked] = await Promise.all([calling.stop(), asking.stop()]);
  const endedAtMs = Date.now();
  const quiet = await untilIdle(cell);
  const records = await readRecords(cell);
  await receiver.stop();
  const own = new Set(created.map(({ id }) => id));
  const ownRecords = records.filter(({ accountId }) => own.has(accountId));
  const { carried, talking } = sortCalls(ownRecords, loss, lines, { atMs, endedAtMs });
  const wasCarried = (record: CallRecord): boolean => carried.includes(record);
  const recordings = await checkRecordings(cell, ownRecords, wasCarried);
  const gap = (times: number[]): number => longestGap([startedAtMs, ...times, endedAtMs]);
  return {
    gapMs: {
      api: gap(asked.filter((each) => each.fault === undefined).map((each) => each.atMs)),
      calls: gap(ownRecords.flatMap(({ answeredAtMs }) => answeredAtMs ?? [])),
      webhooks: gap(receiver.received.map((each) => each.atMs)),
    },
    accepted: placed.filter(({ id }) => id !== undefined).length,
    refused: refusals(atMs, [...placed, ...asked]),
    running: talking.length,
    kept: talking.filter(({ cause }) => cause === 'NORMAL_CLEARING').length,
    carried: carried.length,
    unanswered: ownRecords.filter(({ answeredAtMs }) => answeredAtMs === null).length,
    answered: ownRecords.filter(({ answeredAtMs }) => answeredAtMs !== null).length,
    recordings: recordings.stored,
    faults: [
      ...quiet.faults,
      ...duringFaults,
      ...checkCalls(placed, ownRecords, receiver, wasCarried),
      ...recordings.faults,
      ...((await loss.checkAfter?.(cell)) ?? []),
      ...(await auditMoney(cell, records)),
      ...(await reconcileEvents(created)),
    ],
  };
}

/** Returns the answered calls of the lost host, and the calls of others that were talking when it was lost. */
function sortCalls(
  records: CallRecord[],
  { carried = () => false, takesMs = 0 }: HostLoss,
  lines: Line[],
  { atMs, endedAtMs }: { atMs: number; endedAtMs: number },
): { carried: CallRecord[]; talking: CallRecord[] } {
  // A call of a lost media node ended when the node was last seen, before the loss.
  const isAffected = (record: CallRecord): boolean =>
    carried(record, lines) && (record.endedAtMs ?? 0) > atMs - lastSeenMs;
  return {
    carried: records.filter(
      (record) => isAffected(record) && (record.answeredAtMs ?? endedAtMs) < atMs + takesMs,
    ),
    talking: records.filter((record) => isTalkingAt(record, atMs) && !isAffected(record)),
  };
}
