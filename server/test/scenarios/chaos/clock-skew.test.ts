import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { expectConsistentCall, startedSeconds } from './expect-consistent-call.ts';
import { openSkewedControl, type SkewedControl } from './skewed-control.ts';

/** How exactly the clock of a node is measured. */
const toleranceMs = 1_000;

let platform: VoicePlatform;
let account: TestAccount;
let control: SkewedControl;

beforeAll(async () => {
  const port = await freePort();
  control = await openSkewedControl(`ws://127.0.0.1:${port}/asterisk`);
  platform = await startVoicePlatform({
    settings: { VOICE_PORT: String(port) },
    engines: { controlUrl: control.url },
  });
  account = await platform.addAccount();
});
afterAll(async () => {
  await platform?.close();
  await control?.close();
});

test.each([90, -90])(
  'a node whose clock is %i s off is reported, and its call durations are correct',
  async (seconds) => {
    control.setAheadSeconds(seconds);
    await reconnect();
    await until(async () => {
      const [node] = await platform.database.query<{ clock_skew_ms: number }>(
        'select clock_skew_ms from media_nodes',
      );
      return Math.abs((node?.clock_skew_ms ?? 0) - seconds * 1000) < 500;
    }, 'the skew is reported');
    expect(platform.logLines.some((line) => line.includes('media node clock skew exceeds the limit'))).toBe(
      true,
    );

    const line = await platform.addLine(account);
    const placedAtMs = Date.now();
    const callId = await line.call(numberEnding('16'));
    await whenCall(account, callId, 'answered');
    const seenAtMs = Date.now();
    await sleep(2_000);
    await platform.engines.simulator.hangUpPhone(callId);
    await whenCall(account, callId, 'ended');
    const record = await expectConsistentCall(platform, account, callId);
    expect(record).toMatchObject({ hangup_cause: 'NORMAL_CLEARING' });
    // A partial second counts as a whole one.
    expect(record.duration).toBe(startedSeconds(record));
    // Timestamps use our clock.
    expect(Date.parse(record.answered_at)).toBeGreaterThan(placedAtMs - toleranceMs);
    expect(Date.parse(record.answered_at)).toBeLessThan(seenAtMs + toleranceMs);
  },
);

/** Reconnects the node, so that its clock is measured again. */
async function reconnect(): Promise<void> {
  await platform.stopVoice();
  await platform.startVoice();
}
