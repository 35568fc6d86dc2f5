import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCaps } from '../../../src/contexts/calls/index.ts';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { statusOf as sipStatus } from '../../harness/edge/sip-message.ts';
import { readBalance } from '../../harness/fixtures/billing.ts';
import { finalStatus, listedCalls, whenListed } from '../../harness/fixtures/dialled-calls.ts';
import { openOperator } from '../../harness/operator.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { listChannels, numberEnding } from '../../harness/voice/lines.ts';
import { type Line, startVoicePlatform, type VoicePlatform } from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let client: SipClient;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  line = await platform.addLine(account);
  const [address = '', port] = platform.engines.edgeAddress.split(':');
  client = await openSipClient({ server: { address, port: Number(port) } });
});
afterAll(async () => {
  await client?.close();
  await platform?.close();
});

async function cap(caps: Parameters<typeof setCaps>[2], of = account): Promise<void> {
  const operator = openOperator(platform);
  await setCaps(operator, of.id, caps);
  await operator.close();
}

/** Expects that rejected calls are not dialled, held or listed. */
async function expectRefusals(refused: [called: string, status: number][], by = line): Promise<void> {
  const carried = platform.engines.simulator.carrierCalls().length;
  const listed = (await listedCalls(by.account)).length;
  for (const [called, status] of refused) {
    expect(await finalStatus(await by.phone.dial(called)), called).toBe(status);
  }
  expect(platform.engines.simulator.carrierCalls()).toHaveLength(carried);
  expect(await listedCalls(by.account)).toHaveLength(listed);
  expect(await readBalance(by.account)).toMatchObject({ held: 0 });
}

/** The identity headers of a call that shows this number and no display name. */
const withoutName = (number: string) => ({
  from: expect.stringMatching(`^<sip:${number}@[^">]+>;tag=`),
  contact: expect.stringMatching(/^<sip:[^">]+>$/),
  assertedIdentity: '',
  remotePartyId: '',
});

/** Sends an INVITE that no ordinary phone would send. */
async function invite(
  user: string,
  more: [string, string][] = [],
  { from = line.ramal, domain = account.domain } = {},
): Promise<number> {
  const { address, port } = client.local;
  const answer = await client.askAs(
    { ramal: line.ramal, domain: account.domain, senha: line.senha },
    {
      startLine: `INVITE sip:${user}@${domain} SIP/2.0`,
      headers: [
        ['From', `"Another Name" <sip:${from}@${account.domain}>;tag=${randomBytes(4).toString('hex')}`],
        ['To', `<sip:${user}@${domain}>`],
        ['Call-ID', randomBytes(8).toString('hex')],
        ['Contact', `<sip:${line.ramal}@${address}:${port}>`],
        ...more,
      ],
    },
  );
  return answer ? sipStatus(answer) : 0;
}

test('a phone can dial only numbers that the API can call; no INVITE is sent for others', async () => {
  const otherAccount = await platform.addAccount();
  const foreign = await platform.addLine(otherAccount, { extension: { ramal: '77001' } });
  await expectRefusals([
    ['190', 403],
    ['911', 403],
    ['5508001234567', 403],
    ['12125551234', 403],
    ['8821612345678', 403],
    ['55119999', 404],
    ['5511', 404],
    ['11987654321', 404],
    ['08007290722', 403],
    ['99', 404],
    [foreign.ramal, 404],
    ['0', 404],
  ]);
  expect(foreign.phone.calls()).toEqual([]);
});

test('CALL-81 CALL-87 an account without credit or at its caps is rejected with the reason', async () => {
  const poor = await platform.addLine(await platform.addAccount(0));
  await expectRefusals([[numberEnding('16'), 402]], poor);
  await cap({ dailySpendMicros: 1_000 });
  await expectRefusals([[numberEnding('16'), 608]]);
  await cap({ dailySpendMicros: null, pricePerMinuteMicros: 1_000 });
  await expectRefusals([[numberEnding('16'), 608]]);
  await cap({ pricePerMinuteMicros: null, callsPerSecond: 0 });
  await expectRefusals([[numberEnding('16'), 600]]);

  await cap({ callsPerSecond: null, concurrentCalls: 1 });
  const to = numberEnding('19');
  const ringing = await line.phone.dial(to);
  await whenListed(account, { to });
  expect(await finalStatus(await line.phone.dial(numberEnding('16')))).toBe(600);
  await ringing.hangUp();
  await ringing.ended();
  await cap({ concurrentCalls: null });
});

test('CALL-53 a phone’s own headers change neither caller, charged account nor caller ID', async () => {
  const victim = await platform.addAccount();
  const other = await platform.addLine(victim);
  const to = numberEnding('17');
  const spoofed: [string, string][] = [
    ['X-Disca-Ramal', other.ramal],
    ['X-Disca-Domain', victim.domain],
    ['x-disca-leg', '1-webrtc'],
    ['X-Disca-Not-After', '9999999999'],
    ['X-Disca-Call-Id', 'mine'],
    ['P-Asserted-Identity', '"Another Name" <sip:5511999999999@carrier.test>'],
    ['P-Preferred-Identity', '"Another Name" <sip:5511999999999@carrier.test>'],
    ['Remote-Party-ID', '"Another Name" <sip:5511999999999@carrier.test>;party=calling'],
    ['Diversion', '<sip:5511999999999@carrier.test>'],
    ['Replaces', 'some@call;to-tag=1;from-tag=2'],
    ['Alert-Info', 'info=alert-autoanswer;delay=0'],
  ];
  expect(await invite(to, spoofed)).toBe(486);
  const record = await whenListed(account, { to });
  expect(record).toMatchObject({ from: line.ramal, domain: account.domain });
  const [leg] = platform.engines.simulator.carrierCalls().filter(({ number }) => number === to);
  expect(leg).toMatchObject({ from: '551130000000', callId: record.id, alertInfo: '' });
  expect(leg?.identity).toEqual(withoutName('551130000000'));
  expect(await listedCalls(victim)).toEqual([]);

  expect(await invite(numberEnding('17'), [], { from: other.ramal })).toBe(403);
  expect(await invite(other.ramal, [], { domain: victim.domain })).toBe(404);
  expect(await invite(numberEnding('17'), [], { domain: 'carrier.test' })).toBe(404);
  expect(other.phone.calls()).toEqual([]);
});

test('CALL-53 a phone’s display name is not shown to another extension', async () => {
  const callee = await platform.addLine(account, { phone: { behaviour: 'busy' } });
  expect(await invite(callee.ramal)).toBe(486);
  expect(callee.phone.calls().map(({ identity }) => identity)).toEqual([withoutName(line.ramal)]);
});

test('a header smuggled after a bare carriage return does not call as another account', async () => {
  const victim = await platform.addAccount();
  const other = await platform.addLine(victim);
  const smuggled = `x\rX-Disca-Ramal: ${other.ramal}\rX-Disca-Domain: ${victim.domain}`;
  expect(await invite(numberEnding('17'), [['Subject', smuggled]])).toBe(400);
  expect(await listedCalls(victim)).toEqual([]);
});

test('a dialled number is treated as a number only', async () => {
  const number = numberEnding('16');
  const before = await listChannels(platform);
  const carried = platform.engines.simulator.carrierCalls().length;
  const listed = (await listedCalls(account)).length;
  const corpus = [
    `${number}&PJSIP`,
    `${number},60,G(c2c,s,1)`,
    `${number}^60`,
    '$%7BSHELL(id)%7D',
    `$%7BEXTEN%7D${number}`,
    `${number}%0aX-Disca-Ramal:1`,
    `${number}%00`,
    `${number};phone-context=+1`,
    `${number}!`,
    `PJSIP/carrier/${number}`,
    'Local',
    's',
    'h',
    'T',
    'i',
    'late',
    'c2c-end',
    '_X.',
    '..',
    '-',
    '()',
    '*',
    '#',
    '+',
    '*72',
    '**1000',
    `#${number}`,
    `${number}*`,
    '9'.repeat(33),
    '9'.repeat(400),
    '𝟓𝟓𝟏𝟏',
    'refuse:200',
    '__CALL_ID=1,ROUTE=c2c',
  ];
  for (const user of corpus) {
    const status = await invite(user);
    expect(status === 0 || (status >= 400 && status < 500), `${user}: ${status}`).toBe(true);
  }
  expect(platform.engines.simulator.carrierCalls()).toHaveLength(carried);
  expect(await listedCalls(account)).toHaveLength(listed);
  await until(async () => (await listChannels(platform)).length === before.length, 'no channel is left');
});

test('separators are removed from dialled numbers, and a flooding caller does not affect others', async () => {
  const to = numberEnding('17');
  expect(await invite(`+${to.slice(0, 2)}.${to.slice(2, 4)}-${to.slice(4)}`)).toBe(486);
  expect(await whenListed(account, { to })).toMatchObject({ to });

  const honest = await platform.addLine(await platform.addAccount());
  const carried = platform.engines.simulator.carrierCalls().length;
  const begunAtMs = Date.now();
  const flood = Promise.all(Array.from({ length: 60 }, () => invite(numberEnding('17'))));
  await sleep(50);
  expect(await finalStatus(await honest.phone.dial(numberEnding('17')))).toBe(486);
  expect(new Set(await flood)).toEqual(new Set([486]));
  // At most five per second, beside the normal call.
  const seconds = Math.ceil((Date.now() - begunAtMs) / 1_000) + 1;
  expect(platform.engines.simulator.carrierCalls().length - carried).toBeLessThanOrEqual(5 * seconds + 1);
});
