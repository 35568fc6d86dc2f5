import { afterAll, beforeAll, expect, test } from 'vitest';
import { otherCode } from '../../../harness/fixtures/caller-ids.ts';
import type { TestAccount } from '../../../harness/people.ts';
import { until } from '../../../harness/until.ts';
import { numberEnding, whenCarrierRings } from '../../../harness/voice/lines.ts';
import { hearCode, hearPrompt } from '../../../harness/voice/speech.ts';
import { readClosedWav } from '../../../harness/voice/tones.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform.close());

const carrierCallTo = (number: string) =>
  platform.engines.simulator.carrierCalls().find((call) => call.number === number);

/** Adds the number, presses these keys at the called end and records what is heard there until the call has ended. */
async function requestAndListen(account: TestAccount, keys: string) {
  const number = numberEnding('96');
  const asked = await account.admin.client.post('/callerIds', { number });
  expect([asked.status, asked.body.status]).toEqual([200, 'pending']);
  const { callId } = await until(async () => {
    const call = carrierCallTo(number);
    return call?.answeredAtMs === undefined ? undefined : call;
  }, 'the called person has answered');
  await platform.engines.simulator.pressDigits(callId, keys, 'carrier');
  const leg = await until(async () => {
    const call = carrierCallTo(number);
    return call?.endedAtMs === undefined ? undefined : call;
  }, 'the call has ended');
  const heard = await readClosedWav(platform.engines.simulator.heard(leg.callId, 'carrier'));
  return { number, id: asked.body.id as number, leg, heard };
}

/** Creates an account whose user has this language. */
async function createAccountIn(language: 'pt-BR' | 'en'): Promise<TestAccount> {
  const account = await platform.addAccount();
  const { client, uuid } = account.admin;
  const changed = await client.patch('/users', { uuid, locale: language });
  expect(changed.status).toBe(200);
  return account;
}

test('CALL-37 CALL-55 CALL-22 calls the number, speaks the code in the user’s language and verifies it', async () => {
  await Promise.all((['pt-BR', 'en'] as const).map(proveNumber));
});

async function proveNumber(language: 'pt-BR' | 'en'): Promise<void> {
  const account = await createAccountIn(language);
  const line = await platform.addLine(account);
  const { client } = account.admin;
  const { id, number, leg, heard } = await requestAndListen(account, '1');
  const { code, likeness } = hearCode(heard, language);
  expect(likeness, language).toBeGreaterThan(0.9);
  expect(line.phone.calls()).toEqual([]);

  const wrong = await client.post(`/callerIds/${id}/verify`, { code: otherCode(code) });
  expect([wrong.status, wrong.body.error.errorCode]).toEqual([422, 'WRONG_CODE']);
  const early = await client.post('/calls', {
    extension: line.ramal,
    caller: number,
    called: numberEnding('16'),
  });
  expect([early.status, early.body.error.errorCode]).toEqual([403, 'CALLER_ID_NOT_ALLOWED']);

  const verified = await client.post(`/callerIds/${id}/verify`, { code });
  expect(verified.body, language).toMatchObject({ id, number, status: 'owned', source: 'verified' });
  const shown = await line.call(numberEnding('16'), { caller: number });
  expect((await whenCarrierRings(platform, shown)).from).toBe(number);
  await client.post(`/calls/${shown}/hangup`);
  await whenCall(account, shown, 'ended');

  const call = await whenCall(account, leg.callId, 'ended');
  expect(call).toMatchObject({ to: number, from: '', hangup_cause: 'NORMAL_CLEARING', ended_by: 'system' });
  expect(call.call_price).toBeGreaterThan(0);
}

test('CALL-55 without the key, as at a mailbox, the code is not spoken', async () => {
  await Promise.all(['', '2'].map(hearNoCode));
});

async function hearNoCode(keys: string): Promise<void> {
  const account = await createAccountIn('pt-BR');
  const { heard, leg } = await requestAndListen(account, keys);
  expect(hearPrompt(heard, 'pt-BR', 'press'), keys).toBeGreaterThan(0.9);
  for (const prompt of ['intro', 'again', 'goodbye'])
    expect(hearPrompt(heard, 'pt-BR', prompt), prompt).toBeLessThan(0.9);
  expect(await whenCall(account, leg.callId, 'ended')).toMatchObject({ ended_by: 'system' });
}

test('CALL-37 a call to a busy number speaks no code, costs nothing and verifies nothing', async () => {
  const account = await platform.addAccount();
  const number = numberEnding('17');
  const asked = await account.admin.client.post('/callerIds', { number });
  const leg = await until(async () => carrierCallTo(number), 'the number is called');
  expect(await whenCall(account, leg.callId, 'ended')).toMatchObject({
    hangup_cause: 'USER_BUSY',
    call_price: 0,
  });
  const { body } = await account.admin.client.get('/callerIds');
  expect(body).toEqual([expect.objectContaining({ id: asked.body.id, number, status: 'pending' })]);
});
