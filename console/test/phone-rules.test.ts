import { expect, test, vi } from 'vitest';
import { partyOf } from '../../server/src/platform/party.ts';
import { limitIceGathering } from '../src/features/phone/engine/ice-gathering.ts';
import { gradeQuality } from '../src/features/phone/engine/quality.ts';
import { findNumbers, readDialled } from '../src/shared/phone-number/read-number.ts';

test.each([
  ['11 98765-4321', '5511987654321'],
  ['(011) 98765-4321', '5511987654321'],
  ['(55) 3222-1234', '555532221234'],
  ['55 11 98765 4321', '5511987654321'],
  ['+55 (11) 98765-4321', '5511987654321'],
  ['+1 212 555 0100', '12125550100'],
  ['1002', '1002'],
  ['011987654321', '5511987654321'],
  ['tel:11-98765-4321', '5511987654321'],
  ['51987654321', '51987654321'],
  ['(51) 98765-4321', '5551987654321'],
])('CALL-46 dials %s as %s', async (text, number) => {
  expect(await readDialled(text)).toEqual({ digits: number });
});

test.each(['', '1', '98765-4321', 'ana', '+55', '1234567890123456', '11987654321', '51 98765-4321'])(
  'CALL-46 %j cannot be dialled',
  async (text) => {
    expect(await readDialled(text)).toEqual({ fault: 'numberFault' });
  },
);

test.each(['0800 729 0722', '08007290722', '+55 0800 729 0722', '0300 123 4567'])(
  'CALL-38 CALL-88 the service number %s cannot be dialled, and the phone says so',
  async (text) => {
    expect(await readDialled(text)).toEqual({ fault: 'specialNumber' });
  },
);

test('CALL-46 the command palette offers every interpretation of an ambiguous number', async () => {
  const found = async (text: string) => (await findNumbers(text)).map(({ digits }) => digits);
  expect(await found('51987654321')).toEqual(['51987654321', '5551987654321']);
  expect(await found('11987654321')).toEqual(['5511987654321']);
  expect(await findNumbers('98765-4321')).toEqual([{ digits: '987654321', canDial: false }]);
  expect(await found('conceicao')).toEqual([]);
});

test.each([
  [
    { name: 'Maria Souza', deal: 'D-1024' },
    { name: 'Maria Souza', deal: 'D-1024' },
  ],
  [
    { Contact_Name: ' João ', 'deal-id': 77 },
    { name: 'João', deal: '77' },
  ],
  [
    { cliente: { nome: 'Padaria Sol' }, negócio: 'Forno' },
    { name: 'Padaria Sol', deal: 'Forno' },
  ],
  [
    { contact: 'ana@example.com', nome: 'Ana' },
    { name: 'Ana', deal: undefined },
  ],
  [
    { name: '', deal: 'D-1' },
    { name: undefined, deal: 'D-1' },
  ],
])('metadata %j of a call names %j', (metadata, party) => {
  expect(partyOf(metadata)).toEqual(party);
});

test.each([{}, { campaign: 'abril' }, { name: null, deal: ['D-1'] }, { contact: { id: 5 } }])(
  'metadata %j of a call names no one',
  (metadata) => {
    expect(partyOf(metadata)).toBeUndefined();
  },
);

test('a long name in metadata is shortened', () => {
  expect(partyOf({ name: 'a'.repeat(200) })?.name).toHaveLength(80);
});

const clear = { received: 100, lost: 0, jitterMs: 5, roundTripMs: 40 };

test.each([
  ['good', clear],
  ['good', { ...clear, roundTripMs: undefined }],
  ['fair', { ...clear, received: 97, lost: 3 }],
  ['fair', { ...clear, jitterMs: 45 }],
  ['fair', { ...clear, roundTripMs: 400 }],
  ['poor', { ...clear, received: 90, lost: 10 }],
  ['poor', { ...clear, received: 0 }],
] as const)('grades a connection as %s by its measurements', (grade, measured) => {
  expect(gradeQuality(measured).grade).toBe(grade);
});

test('AUDIO-18 ICE gathering does not end before there is a UDP candidate with an address', () => {
  vi.useFakeTimers();
  try {
    const ready = vi.fn();
    const gather = limitIceGathering();
    const add = (candidate: string) => gather({ candidate: { candidate }, ready });
    add('candidate:1411483762 1 tcp 1518280447 192.168.77.2 9 typ host tcptype active generation 0');
    vi.advanceTimersByTime(10_000);
    add(
      'candidate:1 1 udp 2113937151 0b6fae8e-1f5c-4f6e-a9f0-3a4b2f0f1d9e.local 50000 typ host generation 0',
    );
    vi.advanceTimersByTime(10_000);
    expect(ready).not.toHaveBeenCalled();
    add('candidate:2 1 UDP 1677729535 198.51.100.7 6625 typ srflx raddr 0.0.0.0 rport 0');
    vi.advanceTimersByTime(299);
    add('candidate:3 1 udp 33562623 2001:db8::6 40936 typ relay raddr 0.0.0.0 rport 0');
    vi.advanceTimersByTime(299);
    expect(ready).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(ready).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
