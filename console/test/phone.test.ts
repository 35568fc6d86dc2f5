import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../server/test/extensions/scene.ts';
import type { Person, TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { expectTone } from '../../server/test/networks/harness/talk.ts';
import { numberEnding } from '../../server/test/voice/harness/scene.ts';
import { whenHeard } from '../../server/test/voice/harness/tones.ts';
import { whenCall } from '../../server/test/voice/harness/voice-platform.ts';
import { carrierHertz, microphoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { levelsOf, whenPageHears } from './harness/voice-hearing.ts';
import { phoneIn } from './harness/voice-phone.ts';

let house: VoiceConsole;
let account: TestAccount;

beforeAll(async () => {
  house = await startVoiceConsole();
  account = await house.platform.addAccount();
});
afterAll(() => house?.close());

interface Agent {
  person: Person;
  extension: { id: number; ramal: string };
}

/** Somebody with an extension of their own. */
async function addAgent(): Promise<Agent> {
  const person = await account.addUser('USER');
  await house.platform.database.query('update users set email_verified = true where uuid = $1', [
    person.uuid,
  ]);
  const body = extensionBody({ email_address: person.email });
  const extension = (await account.admin.client.post('/extensions', body)).body;
  return { person, extension };
}

const isRegistered = async ({ extension }: Agent): Promise<boolean> =>
  (await account.admin.client.get(`/extensions/${extension.id}`)).body.registered;

const callTo = async (to: string): Promise<string> =>
  await until(async () => {
    const { body } = await account.admin.client.list('/calls', { where: { to } }, { page: '1' });
    return body.data[0]?.id as string | undefined;
  }, `there is a call to ${to}`);

test('a phone that is switched on registers, dials a customer, and both sides hear each other', async () => {
  const agent = await addAgent();
  const { page, faults, close } = await house.viewAs(agent.person);
  const phone = phoneIn(page);
  await phone.dock.waitFor();
  expect(await isRegistered(agent)).toBe(false);
  await phone.switchOn();
  expect(await isRegistered(agent)).toBe(true);
  const to = numberEnding('95');
  await phone.dial(to.slice(2));
  await phone.talks();
  const id = await callTo(to);
  await whenPageHears(page, carrierHertz);
  expect((await levelsOf(page)).energyReceived).toBeGreaterThan(0);
  const heard = house.platform.engines.simulator.heard(id, 'carrier');
  await whenHeard(heard, microphoneHertz);
  await phone.says(phone.words.quality.good);
  await phone.press('hangUp');
  await phone.says(phone.words.ended.you);
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    ended_by: 'extension',
    call_type: 'outbound',
  });
  await expectTone(heard, microphoneHertz, 1);
  expect(faults).toEqual([]);
  await close();
});
