import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCallWithEvents, numberEvents, steps } from '../../server/test/harness/fixtures/events.ts';
import type { Disca, LoggedEvent } from '../src/index.ts';
import { type LossyProxy, startLossyProxy } from './harness/lossy-proxy.ts';
import { type Service, startService } from './harness/service.ts';

let service: Service;
let proxy: LossyProxy;
let disca: Disca;
beforeAll(async () => {
  service = await startService({ EVENT_HEARTBEAT_MS: '200' });
  proxy = await startLossyProxy(service.url);
  disca = service.client({ baseUrl: proxy.url });
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

async function addCall(): Promise<string> {
  const id = await insertCallWithEvents(service.platform, service.account);
  await numberEvents(service.platform);
  return id;
}

test('the log is read in order from any number to its end', async () => {
  const first = await addCall();
  await addCall();
  const all: LoggedEvent[] = [];
  for await (const event of disca.events.list({ pageSize: 3 })) all.push(event);
  expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(all.slice(0, 4).map(({ type }) => type)).toEqual(steps);
  const [, , hangup] = all;
  if (hangup?.type !== 'channel-hangup') throw new Error('The third event of a call is its end.');
  expect(hangup.data.id).toBe(first);
  expect(hangup.data.duration).toBeTypeOf('number');
  const rest: number[] = [];
  for await (const { sequence } of disca.events.list({ after: 6 })) rest.push(sequence);
  expect(rest).toEqual([7, 8]);
});

test('a stream starts with new events, survives broken connections and yields each once', async () => {
  const sequences: number[] = [];
  const lost: unknown[] = [];
  const enough = new AbortController();
  let opened = 0;
  const reading = (async () => {
    const stream = disca.events.stream({
      signal: enough.signal,
      onOpen: () => {
        opened += 1;
      },
      onReconnect: (error) => lost.push(error),
    });
    for await (const event of stream) sequences.push(event.sequence);
  })();
  await expect.poll(() => opened).toBe(1);
  // The first message contains the position of the stream.
  await addCall();
  await expect.poll(() => sequences).toEqual([9, 10, 11, 12]);
  proxy.next('lose the request', 'cut the answer', 'bad gateway');
  proxy.breakAll();
  await addCall();
  await expect.poll(() => sequences.length).toBe(8);
  expect(sequences).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
  expect(lost.length).toBeGreaterThanOrEqual(1);
  const resumed = proxy.seen.filter(({ url }) => url.endsWith('/events/stream')).at(-1);
  expect(resumed?.headers['last-event-id']).toBe('12');
  enough.abort();
  await reading;
});

test('a stream resumes after a stored number, and ends when its reader stops', async () => {
  const sequences: number[] = [];
  for await (const { sequence } of disca.events.stream({ after: 13 })) {
    sequences.push(sequence);
    if (sequence === 16) break;
  }
  expect(sequences).toEqual([14, 15, 16]);
});

test('a permanently refused stream throws the refusal', async () => {
  const revoked = disca.as('a'.repeat(64));
  await expect(revoked.events.stream().next()).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});

test('a stream ends with an error after its reconnection timeout', async () => {
  const gone = await startLossyProxy(service.url);
  await gone.close();
  const stream = service.client({ baseUrl: gone.url }).events.stream({ patienceMs: 300 });
  await expect(stream.next()).rejects.toMatchObject({ code: 'UNREACHABLE' });
});

test('reconcile compares events and ledger entries', async () => {
  const { platform, account } = service;
  const now = platform.clock.now().getTime();
  const window = {
    since: new Date(now - 600_000).toISOString(),
    until: new Date(now + 600_000).toISOString(),
  };
  await addCall();
  const clean = await disca.events.reconcile(window);
  expect(clean).toMatchObject({ isClean: true, differences: [] });
  expect(clean.counts.events).toBe(4 * clean.counts.calls);
  const callId = await insertCallWithEvents(platform, account, { types: steps.slice(0, 3) });
  await numberEvents(platform);
  const { counts, ...found } = await disca.events.reconcile(window);
  expect(counts.calls).toBe(clean.counts.calls + 1);
  expect(found).toMatchObject({ isClean: false, differenceCounts: { event_missing: 1 } });
  expect(found.differences).toMatchObject([
    { kind: 'event_missing', callId, detail: 'call-priced is missing' },
  ]);
});
