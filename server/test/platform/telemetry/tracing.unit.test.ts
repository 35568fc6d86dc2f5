import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { openTracing, type Span, type Tracing } from '../../../src/platform/telemetry/tracing.ts';
import { type Collector, startCollector } from '../../main/observe/collector.ts';

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.stop());

const open = (ratio: number, endpoint = collector.url): Promise<Tracing> =>
  openTracing({ endpoint, headers: {}, ratio, service: 'disca-test', version: '0' });

const span = (name: string, changes: Partial<Span> = {}): Span => ({
  name,
  kind: 'internal',
  startedAt: new Date('2026-01-01T00:00:00.000Z'),
  endedAt: new Date('2026-01-01T00:00:01.500Z'),
  attributes: {},
  ...changes,
});

test('processes that share only the call’s id produce one trace', async () => {
  const callId = uuidv7(new Date());
  const [one, other] = [await open(1), await open(1)];
  one.recordCallSpan(callId, span('part', { children: [span('part of the part')] }));
  other.recordCall(callId, span('call'));
  await Promise.all([one.close(), other.close()]);
  const spans = collector.ofCall(callId);
  const find = (name: string) => spans.find((each) => each.name === name);
  expect(spans).toHaveLength(3);
  expect(find('call')?.parentSpanId).toBeUndefined();
  expect(find('part')?.parentSpanId).toBe(find('call')?.spanId);
  expect(find('part of the part')?.parentSpanId).toBe(find('part')?.spanId);
  expect(find('call')?.endMs).toBe(Date.parse('2026-01-01T00:00:01.500Z'));
});

test('a sampled share of calls is kept, as a whole or not at all, in every process', async () => {
  const [one, other] = [await open(0.5), await open(0.5)];
  const callIds = Array.from({ length: 200 }, () => uuidv7(new Date()));
  for (const callId of callIds) {
    one.recordCall(callId, span('call'));
    other.recordCallSpan(callId, span('part'));
  }
  await Promise.all([one.close(), other.close()]);
  const counts = callIds.map((callId) => collector.ofCall(callId).length);
  expect(new Set(counts)).toEqual(new Set([0, 2]));
  const kept = counts.filter((count) => count === 2).length;
  expect(kept).toBeGreaterThan(50);
  expect(kept).toBeLessThan(150);
});

test('failures are marked, and a clock set back does not make a span end before it starts', async () => {
  const callId = uuidv7(new Date());
  const tracing = await open(1);
  tracing.recordCallSpan(
    callId,
    span('lost', { errorType: 'timeout', endedAt: new Date('2025-12-31T23:59:59.000Z') }),
  );
  await tracing.close();
  const [lost] = collector.ofCall(callId);
  expect(lost?.isFault).toBe(true);
  expect(lost?.endMs).toBe(lost?.startMs);
});

test('an unavailable collector delays neither requests nor shutdown', async () => {
  const tracing = await open(1, 'http://127.0.0.1:1');
  const startedMs = performance.now();
  for (let recorded = 0; recorded < 10_000; recorded += 1) tracing.recordSpan(span('request'));
  await tracing.close();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('without a collector nothing is loaded and nothing is exported', async () => {
  const tracing = await openTracing(undefined);
  expect(tracing.isOn).toBe(false);
  tracing.recordSpan(span('request'));
  await tracing.close();
});
