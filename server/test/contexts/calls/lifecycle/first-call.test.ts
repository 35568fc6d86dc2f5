import { afterAll, beforeAll, expect, test } from 'vitest';
import { whenReleased } from '../../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform.close());

test('CALL-01 CALL-02 CALL-08 places a call and lists it under the returned id', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const { client } = account.admin;
  const metadata = { deal: 'D-1', nested: { yes: true } };
  const placed = await client.post('/calls', {
    caller: line.ramal,
    called: '5511999990099',
    extension: line.ramal,
    metadata,
  });
  expect(placed.status).toBe(200);
  expect(placed.body).toEqual({ status: 'queued', id: expect.any(String), message: expect.any(String) });
  const { id } = placed.body;
  const ended = await whenCall(account, id, 'ended');
  const [listed] = (await client.get('/calls', { query: { page: '1' } })).body.data;
  expect(listed).toMatchObject({ id, to: '5511999990099', from: line.ramal, metadata });
  await whenReleased(platform, id);
  const [carrier, ...others] = platform.engines.simulator.carrierCalls();
  expect([carrier?.number, others]).toEqual(['5511999990099', []]);
  // The simulated carrier hangs up after 5 s, on a busy machine later.
  const talkedSeconds = ((carrier?.endedAtMs ?? 0) - (carrier?.answeredAtMs ?? 0)) / 1000;
  expect(ended.duration).toBeGreaterThanOrEqual(5);
  expect(ended.duration).toBeLessThanOrEqual(Math.ceil(talkedSeconds) + 1);
});
