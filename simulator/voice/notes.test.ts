import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openNotes } from './notes.ts';

const invite = (id: string, callId: string): string =>
  JSON.stringify({
    event: 'invite',
    id,
    at: 1.25,
    side: 'carrier',
    number: '551130000016',
    from: '=551130001234',
    fromHeader: '="A Name" <sip:551130001234@trunk.test>',
    contact: '=<sip:192.0.2.1:5060>',
    assertedIdentity: '=',
    remotePartyId: '=',
    callId: `=${callId}`,
    notAfter: '=',
    alertInfo: '=',
    callInfo: '=',
  });

function openFile() {
  const dir = mkdtempSync(join(tmpdir(), 'disca-notes-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'calls.jsonl');
  return { ...openNotes(file), append: (text: string) => appendFileSync(file, text) };
}

it('merges the lines of each call, even when calls are interleaved', () => {
  const { calls, append } = openFile();
  expect(calls()).toEqual([]);
  append(`${invite('a', 'one')}\n${invite('b', '')}\n{"event":"answer","id":"a","at":2.5}\n`);
  const before = calls();
  append('{"event":"end","id":"b","at":3,"by":"other"}\n{"event":"end","id":"a","at":4,"by":"self"}\n');
  expect(calls()).toMatchObject([
    { id: 'a', callId: 'one', invitedAtMs: 1_250, answeredAtMs: 2_500, endedAtMs: 4_000, endedBy: 'self' },
    { id: 'b', callId: '', endedAtMs: 3_000, endedBy: 'other' },
  ]);
  expect(calls()[1]).not.toHaveProperty('answeredAtMs');
  expect(calls()[0]?.identity).toEqual({
    from: '"A Name" <sip:551130001234@trunk.test>',
    contact: '<sip:192.0.2.1:5060>',
    assertedIdentity: '',
    remotePartyId: '',
  });
  expect(before[0]).not.toHaveProperty('endedAtMs');
});

it('ignores an incomplete line until the rest is written', () => {
  const { calls, append } = openFile();
  append(`${invite('a', 'one')}\n${invite('b', 'two').slice(0, 40)}`);
  expect(calls()).toHaveLength(1);
  append(`${invite('b', 'two').slice(40)}\n`);
  expect(calls()).toHaveLength(2);
});

it('forgets a call', () => {
  const { calls, forget, append } = openFile();
  append(`${invite('a', 'one')}\n${invite('b', 'two')}\n`);
  expect(calls()).toHaveLength(2);
  forget('a');
  append('{"event":"end","id":"a","at":3,"by":"other"}\n');
  expect(calls()).toMatchObject([{ id: 'b' }]);
});
