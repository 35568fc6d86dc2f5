import { expect } from 'vitest';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import { auditMoney } from '../chaos/idle.ts';
import { type CallRecord, readRecords } from '../chaos/records.ts';
import type { PlacedCall } from './place-calls.ts';

/**
 * From this long after the loss of a node on, no call fails. It takes 1.5 s; the limit is that of a busy machine, and
 * below the 5 s after which the load balancer closes the connection of a node that hangs.
 */
export const detectionMs = 4_000;
const toleranceMs = 1_000;
/** A phone rings within 5 s of the request or not at all; the partial last second adds one. */
const maxRingDelayMs = 6_000;
/**
 * Causes of lost calls: the node was lost, or the phone was not rung because it was too late, according to the event or
 * the detail record.
 */
const lossCauses = ['NORMAL_TEMPORARY_FAILURE', 'RECOVERY_ON_TIMER_EXPIRE', 'NO_ANSWER'];

/** Returns the current node of each call. */
export async function callsByNode({ query }: ManyNodesDeployment): Promise<Map<string, string>> {
  const rows = await query('select call_id, node from live_calls where node is not null');
  return new Map(rows.map(({ call_id, node }) => [call_id, node]));
}

export async function nothingIsLeft({ query }: ManyNodesDeployment): Promise<void> {
  await until(async () => {
    const [left] = await query(
      `select ((select count(*) from live_calls)
             + (select count(*) from call_holds where state = 'open'))::int as count`,
    );
    return left?.count === 0;
  }, 'nothing is left of any call');
}

/**
 * Checks the calls that were placed while a node was lost. Calls of the node and calls claimed before the loss was
 * detected may have failed; all others must have succeeded.
 */
export async function checkLoss(
  deployment: ManyNodesDeployment,
  placed: PlacedCall[],
  loss: { node: string; atMs: number; callsThen: Map<string, string> },
): Promise<{ failed: CallRecord[]; afterDetection: number }> {
  expect(placed.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  const records = await readRecords(deployment);
  const recordsById = new Map(records.map((record) => [record.id, record]));
  const failed: CallRecord[] = [];
  let afterDetection = 0;
  const faults: string[] = [];
  for (const { id = '', askedAtMs } of placed) {
    const record = recordsById.get(id);
    if (!record) throw new Error(`${id} was accepted and has no record.`);
    const hasFailed = record.cause !== 'NORMAL_CLEARING';
    if (hasFailed) failed.push(record);
    const isAfter = askedAtMs > loss.atMs + detectionMs;
    if (isAfter) afterDetection += 1;
    const wasElsewhere = (loss.callsThen.get(id) ?? loss.node) !== loss.node;
    const addFault = (fault: string): void =>
      void faults.push(`${id}, requested at ${askedAtMs - loss.atMs} ms: ${fault}`);
    if (hasFailed && (isAfter || wasElsewhere)) addFault(`ended with ${record.cause}`);
    if (hasFailed && !lossCauses.includes(record.cause ?? '')) addFault(`ended with ${record.cause}`);
    for (const fault of findFaults(record, askedAtMs)) addFault(fault);
  }
  expect(faults).toEqual([]);
  expect(await auditMoney(deployment, records)).toEqual([]);
  return { failed, afterDetection };
}

/**
 * Returns faults of a call: it must ring and be dialled once and in time, end once, and cost no more than its talk
 * time.
 */
function findFaults(record: CallRecord, askedAtMs: number): string[] {
  const faults: string[] = [];
  const endedAtMs = record.endedAtMs ?? 0;
  if (record.status !== 'ended' || record.hangupEvents !== 1 || record.pricedEvents !== 1)
    faults.push(`is ${record.status}, ended ${record.hangupEvents} times`);
  if (record.atPhone.length > 1 || record.atCarrier.length > 1) faults.push('was dialled twice');
  const [phone] = record.atPhone;
  const [carrier] = record.atCarrier;
  if (phone && phone.invitedAtMs - askedAtMs > maxRingDelayMs) faults.push('rang late');
  if (carrier && carrier.invitedAtMs > endedAtMs) faults.push('was dialled after its end');
  const talkedMs = record.answeredAtMs === null ? 0 : endedAtMs - record.answeredAtMs;
  const seenMs = carrier?.answeredAtMs ? (carrier.endedAtMs ?? Infinity) - carrier.answeredAtMs : 0;
  if (talkedMs > seenMs + toleranceMs) faults.push(`talked ${talkedMs} ms; its carrier saw ${seenMs} ms`);
  return faults;
}
