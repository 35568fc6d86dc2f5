import { expect } from 'vitest';
import type { TestAccount } from '../../harness/people.ts';
import { atCarrier, atPhone, whenReleased } from '../../harness/voice/lines.ts';
import type { VoicePlatform } from '../../harness/voice/voice-platform.ts';

/**
 * Expects, whatever has failed, that the call rang, was dialled and ended once, and that its record matches the
 * carrier's.
 */
export async function expectConsistentCall(platform: VoicePlatform, account: TestAccount, callId: string) {
  await whenReleased(platform, callId);
  const { body: record } = await account.admin.client.get(`/calls/${callId}`);
  const rung = platform.engines.simulator.phoneCalls().filter((call) => call.callId === callId);
  expect(rung).toHaveLength(1);
  const dialled = atCarrier(platform, callId);
  expect(dialled.length).toBeLessThanOrEqual(1);
  expect(record.status).toBe('ended');
  expect(await readEvents(platform, callId, 'channel-hangup')).toHaveLength(1);
  const [leg] = dialled;
  const seenMs = leg?.answeredAtMs && leg.endedAtMs ? leg.endedAtMs - leg.answeredAtMs : 0;
  const talkedMs =
    record.answered_at === null ? 0 : Date.parse(record.ended_at) - Date.parse(record.answered_at);
  expect(Math.abs(talkedMs - seenMs)).toBeLessThanOrEqual(1_000);
  expect(atPhone(platform, callId)?.endedAtMs).toBeDefined();
  return record;
}

/** Returns the time between a call's answer and its end, by its own record, rounded up to whole seconds. */
export const startedSeconds = (record: { answered_at: string; ended_at: string }): number =>
  Math.ceil((Date.parse(record.ended_at) - Date.parse(record.answered_at)) / 1000);

/** Returns the call's events of a type, in order. */
export async function readEvents(platform: VoicePlatform, callId: string, type = '%') {
  return await platform.database.query<{ type: string; data: { sequence: number } }>(
    `select type, data from recorded_events where subject_id = $1 and type like $2 order by (data->>'sequence')::int`,
    [callId, type],
  );
}

/** Returns whether no live call and no open hold is left. */
export async function nothingIsLeft({ database }: VoicePlatform): Promise<boolean> {
  const [left] = await database.query<{ count: number }>(
    `select ((select count(*) from live_calls) + (select count(*) from call_holds where state = 'open'))::int as count`,
  );
  return left?.count === 0;
}
