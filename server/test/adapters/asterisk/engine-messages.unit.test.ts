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
