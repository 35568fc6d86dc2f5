import { expect, test } from 'vitest';
import { readDetailRecord } from '../../../src/adapters/asterisk/detail-record.ts';
import { readEvent } from '../../../src/adapters/asterisk/engine-events.ts';
import { originateBody } from '../../../src/adapters/asterisk/originate.ts';

const callId = '019a8f00-0000-7000-8000-000000000000';

test('a softphone shows the requested number, whatever format its carriers require', () => {
  const body = originateBody({
    callId,
    leg: `${callId}.a`,
    extension: {
      ramal: '1000',
      domain: 'a.example',
      way: { edge: 2, media: 'webrtc' },
      autoAnswer: false,
      ringSeconds: 30,
    },
    destination: {
      number: '5511987654321',
      ringSeconds: 60,
      routes: [
        {
          number: '00155011987654321',
          address: '192.0.2.1:5061',
          transport: 'tls',
          endpoint: 'trunk-1-srtp',
          callerId: '551130000000',
        },
      ],
    },
    fundedSeconds: 60,
    record: false,
    notAfter: 0,
  });
  expect(body).toMatchObject({
    endpoint: 'PJSIP/edge-2-webrtc/sip:1000@a.example',
    callerId: '5511987654321',
    variables: {
      DEST: '00155011987654321',
      TRUNK_1: '192.0.2.1:5061;transport=tls',
      CARRIER_1: 'trunk-1-srtp',
      TRUNK_2: '',
      CARRIER_2: '',
    },
  });
});

const callEnded = (id: unknown) => ({
  type: 'ChannelUserevent',
  timestamp: '2026-11-15T06:00:00.000+0000',
  eventname: 'CallEnded',
  userevent: { CallId: id, EndedAt: '1794722400.000' },
});

test('ignores events and detail records without a valid call id', () => {
  expect(readEvent(callEnded(callId))).toMatchObject({ kind: 'ended', callId });
  expect(readDetailRecord({ uniqueid: `${callId}.a`, end: 1_794_722_400 })).toMatchObject({ callId });
  const others = ['', 'm1-1794722400.1', `${callId}'`, callId.replaceAll('0', '-'), undefined, 7, null];
  for (const other of others) {
    expect(readEvent(callEnded(other)), String(other)).toBe(undefined);
    expect(readDetailRecord({ uniqueid: `${other}.a`, end: 1_794_722_400 }), String(other)).toBe(undefined);
  }
});

const timestamp = '2026-11-15T06:00:00.000+0000';
const ofLeg = (eventname: string, fields: object) => ({
  type: 'ChannelUserevent',
  timestamp,
  eventname,
  userevent: { CallId: callId, Letter: 'b', At: '1794722400.000', EndedAt: '1794722400.000', ...fields },
});

test('CTRL-10 places and ends of legs are read from events, and the same ends from detail records', () => {
  expect(readEvent(ofLeg('LegPlaced', { Place: 'music', AnsweredAt: '1794722390.5' }))).toEqual({
    kind: 'leg-placed',
    callId,
    letter: 'b',
    place: 'music',
    onNode: 1_794_722_400,
    answeredOnNode: 1_794_722_390.5,
  });
  const end = { endedOnNode: 1_794_722_400, answeredOnNode: 1_794_722_390.5, cause: 16, endedBy: 'party' };
  const ended = readEvent(ofLeg('LegEnded', { AnsweredAt: '1794722390.5', EndedBy: 'party', Cause: '16' }));
  expect(ended).toMatchObject({ kind: 'leg-ended', callId, letter: 'b', end });
  const record = {
    uniqueid: 'm1-1794722380.7',
    call_id: callId,
    letter: 'b',
    answered_at: 1_794_722_390.5,
    ended_at: 1_794_722_400,
    ended_by: 'party',
    hangup_cause: 16,
  };
  expect(readDetailRecord(record)).toMatchObject({ callId, letter: 'b', end });
  // A party of the call is no party of a leg.
  expect(readDetailRecord({ ...record, ended_by: 'extension' })).toMatchObject({ end: { endedBy: null } });
});

test('CTRL-10 a further leg that rings or fails is no event of the whole call', () => {
  const peer = { id: `${callId}.c` };
  expect(readEvent({ type: 'Dial', timestamp, peer, dialstatus: 'RINGING' })).toMatchObject({
    kind: 'leg-ringing',
    callId,
    letter: 'c',
  });
  const channel = { ...peer, state: 'Ringing' };
  expect(
    readEvent({ type: 'ChannelDestroyed', timestamp, channel, cause: 17, tech_cause: 486 }),
  ).toMatchObject({ kind: 'leg-ended', callId, letter: 'c', end: { cause: 17, sipStatus: 486 } });
  expect(
    readDetailRecord({ uniqueid: `${callId}.c`, end: 1_794_722_400, disposition: 'BUSY' }),
  ).toMatchObject({ callId, letter: 'c', end: { cause: 17, answeredOnNode: null } });
  for (const fields of [{ Letter: '' }, { Letter: 'a b' }, { Place: 'elsewhere' }, { At: '' }])
    expect(readEvent(ofLeg('LegPlaced', { Place: 'room', ...fields })), JSON.stringify(fields)).toBe(
      undefined,
    );
});
