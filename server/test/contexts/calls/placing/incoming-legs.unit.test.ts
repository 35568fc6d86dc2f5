import { expect, test } from 'vitest';
import { encodeDecision, readIncomingLeg } from '../../../../src/adapters/asterisk/incoming-leg.ts';
import { inboundRefusal, slotRefusal } from '../../../../src/contexts/calls/limits/slot.rules.ts';
import { sipStatusOf } from '../../../../src/contexts/calls/placing/sip-status.rules.ts';
import { modesOf } from '../../../../src/contexts/telephony/legs/incoming-leg.rules.ts';
import { hostOf } from '../../../../src/contexts/telephony/trunks/trunk.rules.ts';
import type { Trunk } from '../../../../src/contexts/telephony/trunks/trunk.ts';
import {
  endpointName,
  endpointsBySource,
} from '../../../../src/contexts/telephony/trunks/trunk-endpoint.rules.ts';
import { createTrunkHosts } from '../../../../src/contexts/telephony/trunks/trunk-hosts.ts';
import { notFound, Refusal } from '../../../../src/platform/errors.ts';

const trunk = (address: string, mode: Trunk['mode'], changes: Partial<Trunk> = {}): Trunk => ({
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
  transport: 'udp',
  srtp: false,
  outboundLogin: null,
  inboundLogin: null,
  changedAt: new Date(1_794_722_400_000),
  enabled: true,
  ...changes,
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
    trunk('192.0.2.9:5060', 'live', { enabled: false }),
  ];
  const modes = (source: string) =>
    modesOf(trunks, { source, endpoint: 'carrier', isEncrypted: false }, ({ address }) =>
      hosts.addressesOf(hostOf(address)),
    );
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

const login = { user: 'disca', passwordSealed: 'sealed' };
const addressOf = ({ address }: Trunk) => [hostOf(address)];

test('CALL-60 a leg must have fulfilled the rules of a trunk at its address', () => {
  const withLogin = trunk('192.0.2.1:5060', 'live', { inboundLogin: login });
  const overTls = trunk('192.0.2.2:5061', 'live', { id: 2, transport: 'tls' });
  const outbound = trunk('192.0.2.3:5060', 'live', { id: 3, outboundLogin: login });
  const all = [withLogin, overTls, outbound];
  const modes = (of: Trunk, endpoint: string, isEncrypted = false) =>
    modesOf(all, { source: of.address, endpoint, isEncrypted }, addressOf);
  for (const endpoint of ['', 'carrier', endpointName(overTls)])
    expect(modes(withLogin, endpoint, true), endpoint).toEqual([]);
  expect(modes(withLogin, endpointName(withLogin))).toEqual(['live']);
  expect(modes(overTls, endpointName(overTls))).toEqual([]);
  expect(modes(overTls, 'carrier', true)).toEqual([]);
  expect(modes(overTls, endpointName(overTls), true)).toEqual(['live']);
  expect(modes(outbound, 'carrier')).toEqual(['live']);
});

test('CALL-60 the rules of one trunk apply to all calls from its address', () => {
  const guarded = trunk('192.0.2.1:5061', 'live', { id: 2, transport: 'tls' });
  const plain = trunk('192.0.2.1:5060', 'test');
  const all = [plain, guarded];
  const modes = (endpoint: string, isEncrypted: boolean) =>
    modesOf(all, { source: '192.0.2.1:5060', endpoint, isEncrypted }, addressOf);
  expect(modes('carrier', false)).toEqual([]);
  expect(modes(endpointName(guarded), true)).toEqual(['test', 'live']);
  expect([...endpointsBySource(all, addressOf)]).toEqual([['192.0.2.1', endpointName(guarded)]]);
  const off = [plain, { ...guarded, enabled: false }];
  expect([...endpointsBySource(off, addressOf)]).toEqual([['192.0.2.1', null]]);
});

test('the name of an endpoint changes when its settings do, and says if audio is encrypted', () => {
  const secure = trunk('192.0.2.1:5061', 'live', { transport: 'tls', srtp: true });
  expect(endpointName(secure)).toBe('trunk-1-1794722400000-srtp');
  expect(endpointName({ ...secure, srtp: false })).toBe('trunk-1-1794722400000');
  expect(endpointName({ ...secure, changedAt: new Date(1_794_722_400_001) })).toBe(
    'trunk-1-1794722400001-srtp',
  );
  const plain = trunk('192.0.2.1:5060', 'live');
  expect(endpointName(plain)).toBe('carrier');
  for (const change of [{ transport: 'tcp' }, { outboundLogin: login }, { inboundLogin: login }] as const)
    expect(endpointName({ ...plain, ...change })).toBe('trunk-1-1794722400000');
});

test('a decision contains what the dialplan sets, and nothing that it could misread', () => {
  const call = {
    callId: '019a8f00-0000-7000-8000-000000000000',
    ringSeconds: 60,
    fundedSeconds: 60,
    record: true,
  };
  const routes = [
    {
      number: '5511987654321',
      address: '192.0.2.1:5060',
      transport: 'udp' as const,
      endpoint: 'carrier',
      callerId: '551130000000',
    },
  ];
  expect(encodeDecision({ kind: 'trunk', call, routes })).toBe(
    `__CALL_ID=${call.callId},RING=60,FUNDED=60,RECORD=wav,ROUTE=c2c,DEST=5511987654321,CLI=551130000000,TRUNK_1=192.0.2.1:5060,CARRIER_1=carrier,DEST_2=,TRUNK_2=,CARRIER_2=,CLI_2=`,
  );
  const secure = routes.map((route) => ({ ...route, transport: 'tls' as const, endpoint: 'trunk-1-srtp' }));
  expect(encodeDecision({ kind: 'trunk', call, routes: secure })).toContain(
    ',TRUNK_1=192.0.2.1:5060;transport=tls,CARRIER_1=trunk-1-srtp,',
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
  expect(readIncomingLeg(fields, undefined)).toMatchObject({
    by: 'phone',
    leg: 'm1-1794722400.1',
    called: '190',
  });
  for (const Leg of ['', 'a,b', 'a)b', 'x'.repeat(81)])
    expect(readIncomingLeg({ ...fields, Leg }, undefined), Leg).toBe(undefined);
  for (const Sip of ['', 'a'.repeat(31), 'A'.repeat(32)])
    expect(readIncomingLeg({ ...fields, Sip }, undefined), Sip).toBe(undefined);
  expect(readIncomingLeg({ ...fields, At: '' }, undefined)).toBe(undefined);
});

test('CALL-60 a leg of a carrier is encrypted if it came to the TLS listener', () => {
  const fields = {
    By: 'carrier',
    Leg: 'm1-1794722400.1',
    Sip: '0123456789abcdef0123456789abcdef',
    From: '551130000000',
    Called: '551131111111',
    Source: '192.0.2.1:5060',
    Local: '192.0.2.9:5061',
    Endpoint: 'carrier',
    At: '1794722400.1',
  };
  const isEncrypted = (Local: string | undefined, listener?: string) =>
    readIncomingLeg({ ...fields, Local }, listener);
  expect(isEncrypted(fields.Local, '192.0.2.9:5061')).toMatchObject({
    isEncrypted: true,
    endpoint: 'carrier',
  });
  for (const listener of [undefined, '192.0.2.9:5060', ''])
    expect(isEncrypted(fields.Local, listener)).toMatchObject({ isEncrypted: false });
  expect(isEncrypted(undefined)).toMatchObject({ isEncrypted: false });
});

test('CALL-81 each refusal has its SIP status, and any other failure returns 503', () => {
  const status = (code: ConstructorParameters<typeof Refusal>[0]) => sipStatusOf(new Refusal(code, ''));
  expect(sipStatusOf(notFound())).toBe(404);
  expect(status('INSUFFICIENT_CREDIT')).toBe(402);
  expect(status('SPEND_LIMIT_REACHED')).toBe(608);
  expect(status('DESTINATION_NOT_ALLOWED')).toBe(403);
  expect(status('EXTENSION_NOT_REGISTERED')).toBe(480);
  expect(status('CAPACITY_EXCEEDED')).toBe(486);
  expect(sipStatusOf(inboundRefusal())).toBe(486);
  expect(status('SERVICE_UNAVAILABLE')).toBe(503);
  expect(sipStatusOf(new Error('anything'))).toBe(503);
});

test('CALL-87 the limits of calls of the account have their own SIP status', () => {
  expect(sipStatusOf(slotRefusal('rate', 5))).toBe(600);
  expect(sipStatusOf(slotRefusal('concurrency'))).toBe(600);
});
