import type { Receiver } from '../../harness/webhooks/receiver.ts';
import type { CallRecord } from '../chaos/records.ts';
import type { PlacedCall } from '../many-nodes/place-calls.ts';

const toleranceMs = 1_000;
/** Webhooks of every call, also of one that was not connected. */
const webhooksOfAll = ['channel-create', 'channel-hangup', 'call-priced'];

/**
 * Returns what is wrong with the accepted calls. A call that was being connected when the host failed may end without an
 * answer; it is still recorded, reported and priced once. An answered call continues until its softphone hangs up, unless
 * the failed host carried it.
 */
export function checkCalls(
  placed: PlacedCall[],
  records: CallRecord[],
  { received }: Receiver,
  wasCarried: (record: CallRecord) => boolean = () => false,
): string[] {
  const recordsById = new Map(records.map((record) => [record.id, record]));
  const webhooks = Map.groupBy(received, ({ body }) => String(body.id));
  return placed.flatMap(({ id }) => {
    if (id === undefined) return [];
    const record = recordsById.get(id);
    if (!record) return [`${id} was accepted and has no record`];
    const delivered = new Set((webhooks.get(id) ?? []).map(({ body }) => body.eventType));
    const expected = record.answeredAtMs === null ? webhooksOfAll : [...webhooksOfAll, 'channel-answer'];
    return [
      ...checkRecord(record, wasCarried(record)),
      ...expected.filter((type) => !delivered.has(type)).map((type) => `${type} was not delivered`),
    ].map((fault) => `${id}: ${fault}`);
  });
}

function checkRecord(record: CallRecord, mayBreak: boolean): string[] {
  const { status, answeredAtMs, endedAtMs, cause, priceMicros, atPhone, atCarrier } = record;
  const faults: string[] = [];
  if (status !== 'ended' || record.hangupEvents !== 1 || record.pricedEvents !== 1)
    faults.push(`is ${status}, ended ${record.hangupEvents} and was priced ${record.pricedEvents} times`);
  if (atPhone.length > 1 || atCarrier.length > 1)
    faults.push(`rang ${atPhone.length} times and was dialled ${atCarrier.length} times`);
  if (answeredAtMs === null || endedAtMs === null) {
    if (priceMicros !== 0) faults.push(`was not answered and costs ${priceMicros}`);
    return faults;
  }
  if (mayBreak) return faults;
  if (cause !== 'NORMAL_CLEARING' || atPhone[0]?.endedBy !== 'self')
    faults.push(`ended with ${cause}, by ${atPhone[0]?.endedBy}`);
  const [leg] = atCarrier;
  const seenMs = leg?.answeredAtMs && leg.endedAtMs ? leg.endedAtMs - leg.answeredAtMs : 0;
  const talkedMs = endedAtMs - answeredAtMs;
  if (talkedMs > seenMs + toleranceMs) faults.push(`talked ${talkedMs} ms; its carrier saw ${seenMs} ms`);
  return faults;
}
