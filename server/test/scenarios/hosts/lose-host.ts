import { setTimeout as sleep } from 'node:timers/promises';
import { removeBudgets } from '../../harness/budgets.ts';
import { untilControlled } from '../../harness/deployments/many-nodes.ts';
import { type HostCell, startHostCell } from '../../harness/hosts/cell.ts';
import { proveEndpoints } from '../../harness/proven-endpoints.ts';
import { startReceiver } from '../../harness/webhooks/receiver.ts';
import { auditMoney } from '../chaos/idle.ts';
import { type CallRecord, readRecords } from '../chaos/records.ts';
import { checkCalls } from '../failover/check-calls.ts';
import { isTalkingAt, longestGap, refusals, startAsking } from '../failover/measures.ts';
import { makeLines } from '../many-nodes/make-lines.ts';
import { startCalling } from '../many-nodes/place-calls.ts';
import { reconcileEvents, untilIdle } from '../many-nodes/rolling-faults.ts';
import { type HostLoss, type HostLossName, hostLosses } from './host-losses.ts';

export interface HostLossReport {
  /** The longest time without a successful response, an answered call and a delivered webhook. */
  gapMs: { api: number; calls: number; webhooks: number };
  accepted: number;
  /** Calls and requests that failed, with the seconds since the loss. */
  refused: string[];
  /** Calls on other hosts that were talking when the host was lost. */
  continued: number;
  /** Calls that the lost host carried. */
  carried: number;
  /** Accepted calls that were not answered. */
  unanswered: number;
  /** What must never happen: lost, doubled or wrongly charged calls, lost webhooks, dropped calls on other hosts. */
  faults: string[];
}

const rate = 2;
const requestsPerSecond = 5;
const calmMs = 8_000;
/** Longer than it takes until new calls are connected again. */
const outageMs = 15_000;
const lastSeenMs = 3_000;

export async function startLossCell(onStep?: (what: string) => void): Promise<HostCell> {
  const cell = await startHostCell({ server: { RATE_LIMIT_SCALE: '1000' }, ...(onStep && { onStep }) });
  await removeBudgets(cell.ownerUrl);
  await proveEndpoints(cell.ownerUrl);
  return cell;
}

/** Places calls while a host is without power, and reports how long nothing worked and whether anything was lost. */
export async function loseHost(
  cell: HostCell,
  name: HostLossName,
  onStep: (what: string) => void = () => undefined,
): Promise<HostLossReport> {
  const loss: HostLoss = hostLosses[name];
  const receiver = await startReceiver({ address: cell.network.address });
  const { created, lines } = await makeLines(cell, receiver.url);
  onStep(`${lines.length} softphones are registered; calling`);
  const startedAtMs = Date.now();
  const calling = startCalling(lines, rate);
  const asking = startAsking(lines, requestsPerSecond);
  await sleep(calmMs);
  const host = cell.host(await loss.choose(cell));
  onStep(`${host.name} loses power`);
  const atMs = Date.now();
  await host.powerOff();
  await sleep(outageMs);
  onStep(`${host.name} starts`);
  await host.powerOn();
  await untilControlled(cell.query, ['media1', 'media2']);
  await sleep(calmMs);
  const [placed, asked] = await Promise.all([calling.stop(), asking.stop()]);
  const endedAtMs = Date.now();
  const quiet = await untilIdle(cell);
  const records = await readRecords(cell);
  await receiver.stop();
  const own = new Set(created.map(({ id }) => id));
  const ownRecords = records.filter(({ accountId }) => own.has(accountId));
  // A call of a lost media node ended when the node was last seen, before the loss.
  const isAffected = (record: CallRecord): boolean =>
    loss.carried(record, lines) && (record.endedAtMs ?? 0) > atMs - lastSeenMs;
  const talking = ownRecords.filter((record) => isTalkingAt(record, atMs) && !isAffected(record));
  const carried = ownRecords.filter(
    (record) => isAffected(record) && (record.answeredAtMs ?? endedAtMs) < atMs,
  );
  const gap = (times: number[]): number => longestGap([startedAtMs, ...times, endedAtMs]);
  return {
    gapMs: {
      api: gap(asked.filter((each) => each.fault === undefined).map((each) => each.atMs)),
      calls: gap(ownRecords.flatMap(({ answeredAtMs }) => answeredAtMs ?? [])),
      webhooks: gap(receiver.received.map((each) => each.atMs)),
    },
    accepted: placed.filter(({ id }) => id !== undefined).length,
    refused: refusals(atMs, [...placed, ...asked]),
    continued: talking.length,
    carried: carried.length,
    unanswered: ownRecords.filter(({ answeredAtMs }) => answeredAtMs === null).length,
    faults: [
      ...quiet.faults,
      ...checkCalls(placed, ownRecords, receiver, (record) => carried.includes(record)),
      ...(await auditMoney(cell, records)),
      ...(await reconcileEvents(created)),
    ],
  };
}
