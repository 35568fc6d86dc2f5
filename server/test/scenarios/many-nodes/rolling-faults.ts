import { setTimeout as sleep } from 'node:timers/promises';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import type { Receiver } from '../../harness/webhooks/receiver.ts';
import type { CallRecord } from '../chaos/records.ts';
import type { Customer } from './line.ts';
import type { PlacedCall } from './place-calls.ts';

/** Softphones hang up after this time, unless the call was dropped earlier. */
export const talkSeconds = 3;

const toleranceMs = 1_000;
/** Ends hanging tests only. */
const maxIdleMs = 300_000;
const pollMs = 250;

/** Waits until every call has ended and every webhook is delivered. */
export async function untilIdle({
  query,
}: Pick<ManyNodesDeployment, 'query'>): Promise<{ tookMs: number; faults: string[] }> {
  const startedAtMs = Date.now();
  for (;;) {
    const [left] = await query(
      `select (select count(*)::int from live_calls) as "running calls",
              (select count(*)::int from call_holds where state = 'open') as "open holds",
              (select count(*)::int from event_outbox) as "events without a number",
              (select count(*)::int from deliveries where state <> 'delivered') as "webhooks not delivered"`,
    );
    const tookMs = Date.now() - startedAtMs;
    const faults = Object.entries(left ?? {})
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what} after ${Math.round(tookMs / 1000)} s`);
    if (faults.length === 0 || tookMs > maxIdleMs) return { tookMs, faults };
    await sleep(pollMs);
  }
}

/** Checks that each call was answered, continued until its softphone hung up, and was fully reported. */
export function faultsOfCalls(
  placed: PlacedCall[],
  records: CallRecord[],
  { received }: Receiver,
  webhookTypes: string[],
): string[] {
  const recordsById = new Map(records.map((record) => [record.id, record]));
  const webhooks = Map.groupBy(received, ({ body }) => String(body.id));
  return placed.flatMap(({ id }) => {
    if (id === undefined) return [];
    const record = recordsById.get(id);
    if (!record) return [`${id} was accepted and has no record`];
    const types = new Set((webhooks.get(id) ?? []).map(({ body }) => body.eventType));
    return [
      ...faultsOfRecord(record),
      ...webhookTypes.filter((type) => !types.has(type)).map((type) => `${type} was not delivered`),
    ].map((fault) => `${id}: ${fault}`);
  });
}

function faultsOfRecord(record: CallRecord): string[] {
  const faults: string[] = [];
  const { answeredAtMs, endedAtMs, cause, atPhone, atCarrier } = record;
  if (cause !== 'NORMAL_CLEARING') faults.push(`ended with ${cause}`);
  if (record.hangupEvents !== 1 || record.pricedEvents !== 1)
    faults.push(`ended ${record.hangupEvents} times and was priced ${record.pricedEvents} times`);
  if (atPhone.length !== 1 || atCarrier.length !== 1)
    faults.push(`rang ${atPhone.length} times and was dialled ${atCarrier.length} times`);
  if (atPhone[0]?.endedBy !== 'self') faults.push('was not ended by its softphone');
  const [leg] = atCarrier;
  const talkedMs = answeredAtMs === null || endedAtMs === null ? 0 : endedAtMs - answeredAtMs;
  const seenMs = leg?.answeredAtMs && leg.endedAtMs ? leg.endedAtMs - leg.answeredAtMs : 0;
  if (talkedMs > seenMs + toleranceMs) faults.push(`talked ${talkedMs} ms; its carrier saw ${seenMs} ms`);
  return faults;
}

/** Returns the restarted processes that did not stop gracefully. */
export const ungracefulStops = ({ programs }: ManyNodesDeployment): string[] =>
  programs
    .filter((program) => program.log().split('"stopped"').length !== 2)
    .map(({ name }) => `${name} did not stop gracefully`);

/** Returns the differences that the API finds between calls, events, deliveries and ledger. */
export async function reconcileEvents(customers: Customer[]): Promise<string[]> {
  const now = Date.now();
  const since = new Date(now - 3_600_000).toISOString();
  const until = new Date(now + 600_000).toISOString();
  const responses = await Promise.all(
    customers.map(({ ask }) => ask('GET', `/events/reconcile?since=${since}&until=${until}`)),
  );
  return responses.flatMap(({ status, json }) =>
    status === 200 && json.isClean ? [] : [`/events/reconcile returned ${status} ${JSON.stringify(json)}`],
  );
}
