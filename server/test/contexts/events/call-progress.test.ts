import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMessages } from '../../../../sdk/src/server-sent.ts';
import { publishProgress } from '../../../src/platform/call-progress.ts';
import { numberEvents } from '../../harness/fixtures/events.ts';
import type { Person, TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let url: string;

beforeAll(async () => {
  platform = await startVoicePlatform({ settings: { EVENT_STREAM_SECONDS: '3600' } });
  url = `${await platform.listen()}/api/v1/events/stream`;
  account = await platform.addAccount();
});
afterAll(() => platform?.close());

interface Message {
  /** The id of the message, from which a client resumes. */
  position: string | undefined;
  type: string;
  sequence: number;
  occurredAt: string;
  data: Record<string, unknown>;
}

/** Follows the stream of a person and collects what it sends. */
async function follow({ token }: Person, after?: number) {
  const leaving = new AbortController();
  const headers = {
    authorization: token,
    ...(after === undefined ? {} : { 'last-event-id': String(after) }),
  };
  const { body } = await fetch(url, { headers, signal: leaving.signal });
  const messages: Message[] = [];
  let isOpen = false;
  const read = async (): Promise<void> => {
    if (!body) return;
    for await (const { id, data } of readMessages(body, () => undefined)) {
      isOpen = true;
      if (data !== '') messages.push({ position: id, ...(JSON.parse(data) as Omit<Message, 'position'>) });
    }
  };
  read().catch(() => undefined);
  await until(() => isOpen, 'the stream is open');
  return {
    messages,
    types: (callId: string) => messages.filter(({ data }) => data.id === callId).map(({ type }) => type),
    leave: () => leaving.abort(),
  };
}

test('CALL-63 a stream sends when the destination is dialled and when it rings, outside of the log', async () => {
  const [owner, other] = [await account.addUser(), await account.addUser()];
  const line = await platform.addLine(account, { owner });
  const streams = await Promise.all([account.admin, owner, other].map((person) => follow(person)));
  const [admin, own, foreign] = streams;
  const to = numberEnding('19');
  const metadata = { deal: 'D-63' };
  const id = await line.call(to, { metadata });
  for (const stream of [admin, own])
    await until(() => stream?.types(id).length === 2, 'the stream sends the progress of the call');
  await account.admin.client.post(`/calls/${id}/hangup`, {});
  await whenCall(account, id, 'ended');
  for (const stream of [admin, own]) {
    expect(stream?.messages).toMatchObject([
      { position: undefined, type: 'channel-dialing', sequence: 0 },
      { position: undefined, type: 'channel-alerting', sequence: 0 },
    ]);
    expect(stream?.messages[1]?.data).toMatchObject({
      eventType: 'channel-alerting',
      id,
      caller: line.ramal,
      called: to,
      metadata,
      answeredAt: null,
    });
    expect(stream?.messages[1]?.data).not.toHaveProperty('accountSequence');
  }
  await numberEvents(platform);
  await until(() => admin?.types(id).includes('channel-hangup'), 'the stream sends the end of the call');
  expect(foreign?.messages).toEqual([]);
  // Neither the log nor a new stream has them.
  const { body } = await account.admin.client.get('/events');
  const logged = body.data.map(({ type }: { type: string }) => type);
  expect(logged).toEqual(['channel-create', 'channel-ringing', 'channel-hangup', 'call-priced']);
  const again = await follow(account.admin, 0);
  await until(() => again.messages.length >= logged.length, 'the stream resumes');
  expect(again.types(id)).toEqual(logged);
  for (const stream of [...streams, again]) stream.leave();
});

test('bug: CALL-63 a stream keeps the order of progress that is published at once', async () => {
  const line = await platform.addLine(account);
  const stream = await follow(account.admin);
  const id = await line.call(numberEnding('19'));
  await until(() => stream.types(id).length === 2, 'the stream sends the progress of the call');
  const start = Date.now();
  const times = Array.from({ length: 80 }, (_, index) => new Date(start + index).toISOString());
  for (const at of times)
    publishProgress(platform.api.redis, account.id, { callId: id, state: 'alerting', at: new Date(at) });
  await until(() => stream.types(id).length === 82, 'the stream sends all progress');
  expect(stream.messages.slice(2).map(({ occurredAt }) => occurredAt)).toEqual(times);
  await account.admin.client.post(`/calls/${id}/hangup`, {});
  await whenCall(account, id, 'ended');
  stream.leave();
});

test('CALL-63 a stream sends when the destination of a call dialled on a phone rings', async () => {
  const line = await platform.addLine(account);
  const stream = await follow(account.admin);
  const to = numberEnding('19');
  const dialled = await line.phone.dial(to);
  await until(
    () => stream.messages.some(({ type, data }) => type === 'channel-alerting' && data.called === to),
    'the stream sends that the destination rings',
  );
  await dialled.hangUp();
  stream.leave();
});
