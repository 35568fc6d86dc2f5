import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCallWithEvents, numberEvents, steps } from '../../harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const settings = { RATE_LIMIT_SCALE: '1000', EVENT_STREAM_SECONDS: '3600' };

let platform: Platform;
let account: TestAccount;
let url: string;

beforeAll(async () => {
  platform = await startPlatform({ ...settings, EVENT_HEARTBEAT_MS: '200' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  url = `${await platform.listen()}/api/v1/events/stream`;
  account = await newAccount();
});
afterAll(() => platform.close());

async function newAccount(): Promise<TestAccount> {
  const fresh = await createAccount(platform);
  await giveCredit(platform, fresh.id, 1_000);
  return fresh;
}

interface Message {
  id: string | undefined;
  event: string | undefined;
  data: string | undefined;
  comment: string | undefined;
}

const readField = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];

/** Reads a stream message by message, as a client does. */
async function open(token: string, options: { lastEventId?: number; query?: string } = {}) {
  const leaving = new AbortController();
  const { lastEventId, query = '' } = options;
  const response = await fetch(`${url}${query}`, {
    headers: {
      authorization: token,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
    signal: leaving.signal,
  });
  const messages: Message[] = [];
  const ended = (async () => {
    let buffer = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (buffer + chunk).split('\n\n');
      buffer = parts.pop() ?? '';
      for (const part of parts) {
        messages.push({
          id: readField(part, 'id'),
          event: readField(part, 'event'),
          data: readField(part, 'data'),
          comment: readField(part, ''),
        });
      }
    }
  })();
  // The stream may end with an error once its client has disconnected.
  ended.catch(() => undefined);
  const events = () => messages.filter(({ data }) => data !== undefined);
  return { response, messages, events, ended, leave: () => leaving.abort() };
}

const soon = { timeout: 120_000, interval: 20 };

test('HOOK-21 a stream sends new events, with the sequence as id and the type as event', async () => {
  const stream = await open(account.admin.token);
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
  await expect.poll(() => stream.messages.length, soon).toBeGreaterThan(0);
  const callId = await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  await expect.poll(() => stream.events().length, soon).toBe(4);
  expect(stream.events().map(({ event }) => event)).toEqual(steps);
  expect(stream.events().map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  expect(JSON.parse(stream.events()[2]?.data ?? '')).toMatchObject({
    sequence: 3,
    type: 'channel-hangup',
    id: expect.stringMatching(/^msg_/),
    data: { id: callId, accountSequence: 3 },
  });
  stream.leave();
});

test('a stream resumes after the last id without duplicates', async () => {
  const stream = await open(account.admin.token, { lastEventId: 2 });
  await expect.poll(() => stream.events().map(({ id }) => id), soon).toEqual(['3', '4']);
  stream.leave();
});

test('a stream of 0 seconds sends the existing events and ends', async () => {
  const stream = await open(account.admin.token, { query: '?after=1&seconds=0' });
  await stream.ended;
  expect(stream.events().map(({ id }) => id)).toEqual(['2', '3', '4']);
});

test('a USER gets only the events of their own calls, but the account’s position', async () => {
  const fresh = await newAccount();
  const user = await fresh.addUser();
  const stream = await open(user.token);
  await insertCallWithEvents(platform, fresh);
  const own = await insertCallWithEvents(platform, fresh, { owner: user });
  await numberEvents(platform);
  await expect.poll(() => stream.events().length, soon).toBe(4);
  expect(new Set(stream.events().map(({ data }) => JSON.parse(data ?? '').data.id))).toEqual(new Set([own]));
  await expect.poll(() => stream.messages.at(-1)?.id, soon).toBe('8');
  stream.leave();
});

test('an idle stream sends keep-alives', async () => {
  const stream = await open(account.admin.token);
  await expect
    .poll(() => stream.messages.filter(({ data }) => data === undefined).length, soon)
    .toBeGreaterThan(2);
  expect(stream.events()).toEqual([]);
  stream.leave();
});

test('a stream ends when its token is revoked', async () => {
  const fresh = await newAccount();
  const stream = await open(fresh.admin.token);
  await platform.database.query('delete from access_tokens where account_id = $1', [fresh.id]);
  await stream.ended;
});

test('an ADMIN demoted to USER gets only the events of their own calls', async () => {
  const fresh = await newAccount();
  const person = await fresh.addUser('ADMIN');
  const stream = await open(person.token);
  await platform.database.query(`update users set role = 'USER' where uuid = $1`, [person.uuid]);
  const received = stream.messages.length;
  await expect.poll(() => stream.messages.length, soon).toBeGreaterThan(received + 2);
  await insertCallWithEvents(platform, fresh);
  await numberEvents(platform);
  await expect.poll(() => stream.messages.at(-1)?.id, soon).toBe('4');
  expect(stream.events()).toEqual([]);
  stream.leave();
});

test('a user may have 5 streams; a closed one frees its slot', async () => {
  const user = await account.addUser();
  const streams = await Promise.all(Array.from({ length: 5 }, () => open(user.token)));
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await open(user.token);
  expect(refused.response.status).toBe(429);
  expect(refused.response.headers.get('retry-after')).toBe('5');
  streams[0]?.leave();
  await expect
    .poll(async () => (await open(user.token, { query: '?seconds=0' })).response.status, soon)
    .toBe(200);
  for (const stream of streams) stream.leave();
});

test('rejects a last id that is not a number', async () => {
  const { client } = account.admin;
  const answer = await client.get('/events/stream?seconds=0', { headers: { 'last-event-id': 'x' } });
  expect(answer.status).toBe(422);
});

test('a stopping process ends its streams and long polls', async () => {
  const other = await startPlatform(settings);
  const person = (await createAccount(other)).admin;
  const base = await other.listen();
  const headers = { authorization: person.token };
  let asked = 0;
  other.app.server.on('request', () => {
    asked += 1;
  });
  const stream = await fetch(`${base}/api/v1/events/stream`, { headers });
  const polled = fetch(`${base}/api/v1/events?wait=25`, { headers });
  await expect.poll(() => asked, soon).toBe(2);
  const startedAt = performance.now();
  const closed = other.close();
  await stream.text();
  expect((await polled).status).toBe(200);
  // Without being ended, the stream would last an hour and the poll 25 s.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  await closed;
});
