import type { Kill } from './kills.ts';
import type { CallRecord } from './records.ts';

/** Maximum difference between a record and what the parties observed. */
const toleranceMs = 1_000;
/** A party behind a restarting edge retransmits its BYE with growing intervals. */
const byeMs = 4_000;

export interface RecordCheck {
  faults: string[];
  /** Difference between the talk time of the record and the carrier's, for calls whose media node stayed up. */
  differencesMs: number[];
  /** Calls during which their media node was killed. */
  struck: number;
}

/** Returns the faults found in the records of a run. */
export function checkRecords(records: CallRecord[], acceptedIds: Set<string>, kills: Kill[]): RecordCheck {
  const check: RecordCheck = { faults: [], differencesMs: [], struck: 0 };
  const recordIds = new Set(records.map(({ id }) => id));
  for (const id of acceptedIds)
    if (!recordIds.has(id)) check.faults.push(`${id} was accepted and has no record`);
  for (const record of records) {
    const addFault = (fault: string): void => void check.faults.push(`${record.id} ${fault}`);
    if (!acceptedIds.has(record.id)) addFault('has a record and was never accepted');
    checkEnd(record, addFault);
    const isStruck = kills.some(({ target, atMs }) => target === 'asterisk' && isDuring(record, atMs));
    if (isStruck) check.struck += 1;
    checkTalk(record, isStruck, kills, addFault, check.differencesMs);
  }
  return check;
}

function checkEnd(record: CallRecord, addFault: (fault: string) => void): void {
  if (record.status !== 'ended') addFault(`is ${record.status}`);
  if (record.hangupEvents !== 1) addFault(`ended ${record.hangupEvents} times`);
  if (record.pricedEvents !== 1) addFault(`was priced ${record.pricedEvents} times`);
  if (record.atPhone.length > 1) addFault(`rang its phone ${record.atPhone.length} times`);
  if (record.atCarrier.length > 1) addFault(`was dialled ${record.atCarrier.length} times`);
}

function checkTalk(
  record: CallRecord,
  isStruck: boolean,
  kills: Kill[],
  addFault: (fault: string) => void,
  differencesMs: number[],
): void {
  const talkedMs =
    record.answeredAtMs === null || record.endedAtMs === null ? 0 : record.endedAtMs - record.answeredAtMs;
  const carrier = record.atCarrier[0];
  const seenMs = carrier?.answeredAtMs && carrier.endedAtMs ? carrier.endedAtMs - carrier.answeredAtMs : 0;
  if (isStruck) {
    if (talkedMs > seenMs + toleranceMs)
      addFault(`talked ${talkedMs} ms, its carrier saw ${seenMs} ms, with its node killed`);
    return;
  }
  if (talkedMs > 0 || seenMs > 0) differencesMs.push(Math.abs(talkedMs - seenMs));
  if (Math.abs(talkedMs - seenMs) > toleranceMs)
    addFault(`talked ${talkedMs} ms; its carrier saw ${seenMs} ms`);
  const phoneEnd = record.atPhone[0]?.endedAtMs;
  if (talkedMs === 0 || phoneEnd === undefined || record.endedAtMs === null) return;
  const edgeWasDown = kills.some(
    ({ target, atMs, backAtMs }) =>
      target === 'kamailio' && atMs - byeMs < phoneEnd && phoneEnd < backAtMs + byeMs,
  );
  const lateMs = Math.abs(record.endedAtMs - phoneEnd);
  if (lateMs > (edgeWasDown ? byeMs : toleranceMs)) addFault(`ended ${lateMs} ms away from its phone's end`);
}

function isDuring({ atPhone, atCarrier, endedAtMs }: CallRecord, atMs: number): boolean {
  const begins = atPhone[0]?.invitedAtMs ?? atCarrier[0]?.invitedAtMs;
  const ends = Math.max(
    endedAtMs ?? 0,
    ...[...atPhone, ...atCarrier].map((call) => call.endedAtMs ?? Infinity),
  );
  return begins !== undefined && begins - toleranceMs <= atMs && atMs <= ends;
}
