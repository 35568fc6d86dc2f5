import { expect, test } from 'vitest';
import { chooseRoutes } from '../../../../src/contexts/telephony/trunks/choose-trunk.rules.ts';
import type { Trunk } from '../../../../src/contexts/telephony/trunks/trunk.ts';

let trunks = 0;
function trunk(changes: Partial<Trunk> = {}): Trunk {
  trunks += 1;
  return {
    id: trunks,
    name: `trunk-${trunks}`,
    mode: 'live',
    address: `192.0.2.${trunks}:5060`,
    prefixes: [],
    priority: 100,
    defaultCallerId: '551130000000',
    callerIdRule: 'owned',
    stripDigits: 0,
    addDigits: '',
    transport: 'udp',
    srtp: false,
    outboundLogin: null,
    inboundLogin: null,
    changedAt: new Date(0),
    enabled: true,
    ...changes,
  };
}

const call = { destination: '5511987654321', callerId: null };
const addresses = (all: Trunk[], mode: Trunk['mode'] = 'live', to = call.destination): string[] =>
  chooseRoutes(all, mode, { ...call, destination: to }).map(({ address }) => address);

test('sorts by longest prefix, lowest priority, then age; at most two', () => {
  const everywhere = trunk({ priority: 1 });
  const brazil = trunk({ prefixes: ['55'] });
  const city = trunk({ prefixes: ['5521', '5511'] });
  const cheaper = trunk({ prefixes: ['5511'], priority: 50 });
  const same = trunk({ prefixes: ['5511'], priority: 50 });
  const all = [everywhere, brazil, city, cheaper, same];
  for (const order of [all, all.toReversed()]) {
    expect(addresses(order)).toEqual([cheaper.address, same.address]);
    expect(addresses(order, 'live', '5521987654321')).toEqual([city.address, brazil.address]);
    expect(addresses(order, 'live', '351912345678')).toEqual([everywhere.address]);
  }
});

test('compares the length of the matching prefix, not the trunk’s longest', () => {
  const wide = trunk({ prefixes: ['55', '351912345'] });
  const narrow = trunk({ prefixes: ['551'] });
  expect(addresses([wide, narrow])).toEqual([narrow.address, wide.address]);
});

test('a disabled trunk and one without a matching prefix are not used', () => {
  expect(addresses([trunk({ enabled: false }), trunk({ prefixes: ['351'] })])).toEqual([]);
  expect(addresses([])).toEqual([]);
});

test('ACCT-05 a test account uses test trunks only, and a live account none of them', () => {
  const real = trunk({ prefixes: ['5511987654321'], priority: 0 });
  const simulated = trunk({ mode: 'test', priority: 900 });
  expect(addresses([real, simulated], 'test')).toEqual([simulated.address]);
  expect(addresses([real, simulated], 'live')).toEqual([real.address]);
  expect(addresses([real], 'test')).toEqual([]);
  expect(addresses([simulated], 'live')).toEqual([]);
});

test('CALL-21 CALL-22 each route presents the call’s number if the carrier allows it, else its own', () => {
  const open = trunk({ priority: 1, defaultCallerId: '551131111111' });
  const strict = trunk({ priority: 2, callerIdRule: 'default', defaultCallerId: '551132222222' });
  const shown = (callerId: string | null) =>
    chooseRoutes([open, strict], 'live', { ...call, callerId }).map((route) => route.callerId);
  expect(shown('551133334444')).toEqual(['551133334444', '551132222222']);
  expect(shown(null)).toEqual(['551131111111', '551132222222']);
});

test('the number is dialled in the carrier’s format', () => {
  const [local] = chooseRoutes([trunk({ stripDigits: 2, addDigits: '021' })], 'live', call);
  expect(local?.number).toBe('02111987654321');
  const [whole] = chooseRoutes([trunk()], 'live', call);
  expect(whole?.number).toBe(call.destination);
});
