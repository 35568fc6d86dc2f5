import { expect, test } from 'vitest';
import { encodeDecision, readIncomingLeg } from '../../../../src/adapters/asterisk/incoming-leg.ts';
import { sipStatusOf } from '../../../../src/contexts/calls/placing/sip-status.rules.ts';
import { modesOf } from '../../../../src/contexts/telephony/legs/incoming-leg.rules.ts';
import { hostOf } from '../../../../src/contexts/telephony/trunks/trunk.rules.ts';
import type { Trunk } from '../../../../src/contexts/telephony/trunks/trunk.ts';
import { createTrunkHosts } from '../../../../src/contexts/telephony/trunks/trunk-hosts.ts';
import { notFound, Refusal } from '../../../../src/platform/errors.ts';

const trunk = (address: string, mode: Trunk['mode'], enabled = true): Trunk => ({
  id: 1,
  name: 'a',
  mode,
  address,
  prefixes: [],
  priority: 1,
  defaultCallerId: '551130000000',
  callerIdRule: 'owned',
  stripDigits: 0,
  addDigits: '',
  enabled,
});

test('a carrier is identified by the addresses of its trunk while the trunk is enabled', async () => {
  let answers: Record<string, string[]> = { 'sip.carrier.example': ['192.0.2.7', '2001:db8::7'] };
  const hosts = createTrunkHosts(async (host) => {
    const addresses = answers[host];
    if (!addresses) throw new Error('not found');
    return addresses;
  });
  const trunks = [
    trunk('192.0.2.1:5060', 'test'),
    trunk('[2001:db8::1]:5060', 'live'),
    trunk('sip.carrier.example:5060', 'live'),
    trunk('192.0.2.9:5060', 'live', false),
  ];
  const modes = (source: string) =>
    modesOf(trunks, source, ({ address }) => hosts.addressesOf(hostOf(address)));
  expect(modes('192.0.2.7:5060')).toEqual([]);
  const names = trunks.map(({ address }) => hostOf(address));
  await hosts.refresh(names, 0);
  expect(modes('192.0.2.1:40000')).toEqual(['test']);
  expect(modes('[2001:db8::1]:5060')).toEqual(['live']);
  expect(modes('192.0.2.7:5060')).toEqual(['live']);
  expect(modes('192.0.2.9:5060')).toEqual([]);
  expect(modes('192.0.2.77:5060')).toEqual([]);

  answers = {};
  await hosts.refresh(names, 60_000);
  expect(modes('192.0.2.7:5060'), 'keeps the known addresses').toEqual(['live']);
  answers = { 'sip.carrier.example': ['192.0.2.8'] };
  await hosts.refresh(names, 90_000);
  expect(modes('192.0.2.8:5060'), 'not resolved again yet').toEqual([]);
  await hosts.refresh(names, 120_000);
  expect(modes('192.0.2.8:5060')).toEqual(['live']);
});

test('a decision contains what the dialplan sets, and nothing that it could misread', () => {
  const call = {
    callId: '019a8f00-0000-7000-8000-000000000000',
    ringSeconds: 60,
    fundedSeconds: 60,
    record: true,
  };
  const routes = [{ number: '5511987654321', address: '192.0.2.1:5060', callerId: '551130000000' }];
  expect(encodeDecision({ kind: 'trunk', call, routes })).toBe(
    `__CALL_ID=${call.callId},RING=60,FUNDED=60,RECORD=wav,ROUTE=c2c,DEST=5511987654321,CLI=551130000000,TRUNK_1=192.0.2.1:5060,DEST_2=,TRUNK_2=,CLI_2=`,
  );
  expect(encodeDecision({ kind: 'refuse', status: 402 })).toBe('refuse:402');
  const phone = {
    kind: 'phone',
    call,
    ramal: '1000',
    domain: 'a.example',
    way: { edge: 1, media: 'plain' },
  } as const;
  for (const shown of ['1,ROUTE=x', '$SHELL(id)', 'a b', '1\n2', 'a=b', '(1)']) {
    expect(() => encodeDecision({ ...phone, shown }), shown).toThrow();
  }
});

test('a report without a valid leg is ignored', () => {
  const fields = {
    By: 'phone',
    Leg: 'm1-1794722400.1',
    Sip: '0123456789abcdef0123456789abcdef',
    Called: '190',
    Source: '127.0.0.1:5060',
    At: '1794722400.1',
  };
  expect(readIncomingLeg(fields)).toMatchObject({ by: 'phone', leg: 'm1-1794722400.1', called: '190' });
  for (const Leg of ['', 'a,b', 'a)b', 'x'.repeat(81)])
    expect(readIncomingLeg({ ...fields, Leg }), Leg).toBe(undefined);
  for (const Sip of ['', 'a'.repeat(31), 'A'.repeat(32)])
    expect(readIncomingLeg({ ...fields, Sip }), Sip).toBe(undefined);
  expect(readIncomingLeg({ ...fields, At: '' })).toBe(undefined);
});

test('each refusal has its SIP status, and any other failure returns 503', () => {
  const status = (code: ConstructorParameters<typeof Refusal>[0]) => sipStatusOf(new Refusal(code, ''));
  expect(sipStatusOf(notFound())).toBe(404);
  expect(status('INSUFFICIENT_CREDIT')).toBe(402);
  expect(status('SPEND_LIMIT_REACHED')).toBe(402);
  expect(status('DESTINATION_NOT_ALLOWED')).toBe(403);
  expect(status('EXTENSION_NOT_REGISTERED')).toBe(480);
  expect(status('CAPACITY_EXCEEDED')).toBe(486);
  expect(status('SERVICE_UNAVAILABLE')).toBe(503);
  expect(sipStatusOf(new Error('anything'))).toBe(503);
});
