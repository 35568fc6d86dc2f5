import { insertCalls } from '../../../server/test/harness/fixtures/call-rows.ts';
import { insertEvent, numberEvents } from '../../../server/test/harness/fixtures/events.ts';
import type { TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';

/** Inserts an active call and publishes its first event. */
export async function insertActiveCall(platform: Platform, account: TestAccount): Promise<void> {
  const startedAt = platform.clock.now();
  const [callId = ''] = await insertCalls(platform.database, account, [{ startedAt, status: 'dialing' }]);
  await insertEvent(platform, account, callId, 'channel-create', 1, startedAt);
  await numberEvents(platform);
}
