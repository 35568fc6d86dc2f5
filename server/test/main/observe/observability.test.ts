import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MetricDefinition, metricDefinitions } from '../../../src/main/observe/metric-definitions.ts';
import { type ObservedDeployment, startObservedDeployment } from '../../harness/deployments/observability.ts';
import { until } from '../../harness/until.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import {
  addCustomer,
  addLine,
  type Customer,
  type Line,
  untilRegistered,
} from '../../scenarios/many-nodes/line.ts';
import { numberEnding } from '../../scenarios/many-nodes/place-calls.ts';
import { type Collector, type SeenSpan, startCollector } from './collector.ts';
import { observability, type Prometheus, startPrometheus } from './prometheus.ts';

let deployment: ObservedDeployment;
let collector: Collector;
let prometheus: Prometheus;
let receiver: Receiver;
let customer: Customer;
let line: Line;
/** A call that was answered, recorded and reported by webhooks. */
let callId: string;

const called = numberEnding('99');
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  deployment = await startObservedDeployment({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const targets = Object.values(deployment.programs).map(({ opsPort }) => `127.0.0.1:${opsPort}`);
  prometheus = await startPrometheus(deployment.dir, targets);
  customer = await addCustomer(deployment);
  // Long enough for the ringing event to be sent before the answer.
  line = await addLine(deployment, customer, 1, { behaviour: 'answer', answerAfterSeconds: 1 });
  await change('/extensions', { id: line.id, gravar_audio: 1 });
  await change('/integrations', {
    gateway: 'crm',
    webhook: true,
    webhookConstraint: {},
    metadata: {
      webhookUrl: receiver.url,
      webhookTypes: ['channel-answer', 'channel-hangup', 'recording-ready'],
    },
  });
  await untilRegistered([line], deployment);
  await until(async () => (await queryNumber('sum(up)')) === targets.length, 'all processes are scraped');
  await auditNow();
  callId = await placeCall(called);
  await until(
    () => receiver.received.some(({ body }) => body.eventType === 'recording-ready'),
    'the recording webhook is delivered',
  );
});

afterAll(async () => {
  await prometheus?.stop();
  await deployment?.stop();
  await Promise.all([collector?.stop(), receiver?.stop()]);
});

async function change(path: string, body: object): Promise<void> {
  const { status, json } = await customer.ask('PATCH', path, body);
  if (status !== 200) throw new Error(`PATCH ${path} returned ${status}: ${JSON.stringify(json)}`);
}

const queryNumber = async (expression: string) => (await prometheus.query(expression))[0]?.value;

/** Runs the ledger audit now, instead of at 06:20. */
async function auditNow(): Promise<void> {
  await deployment.query(`insert into pgboss.job (name, data) values ('billing.audit', '{}')`);
}

async function placeCall(to: string): Promise<string> {
  const body = { caller: line.ramal, called: to, extension: line.ramal };
  const { status, json } = await customer.ask('POST', '/calls', body, { traceparent });
  expect(status).toBe(200);
  return json.id;
}

test('every defined metric is scraped from every process that exports it', async () => {
  const expected = Object.entries(metricDefinitions).flatMap(
    ([name, definition]: [string, MetricDefinition]) =>
      definition.processes.map(
        (process) => `${process} ${name}${definition.kind === 'histogram' ? '_count' : ''}`,
      ),
  );
  const missing = async () => {
    const series = await prometheus.query('count by (__name__, process) ({__name__=~"disca_.+"})');
    const exported = new Set(series.map(({ metric }) => `${metric.process} ${metric.__name__}`));
    return expected.filter((each) => !exported.has(each));
  };
  await expect.poll(missing).toEqual([]);
});

test('the metrics of a process are a bounded number of series', async () => {
  // A process that missed one scrape has no series until the next.
  const series = await until(async () => {
    const rows = await prometheus.query(
      'count by (process) ({__name__=~"disca_.+",__name__!~"disca_http_.+"})',
    );
    return rows.length >= 4 ? rows : undefined;
  }, 'all four processes export metrics');
  expect(series).toHaveLength(4);
  for (const { value } of series) expect(value).toBeLessThan(1_000);
});

test('metrics have the expected values after one call', async () => {
  const expected = {
    'sum(disca_webhook_attempts_total{outcome="delivered"})': 3,
    'sum(disca_calls_answered_total)': 1,
    'sum(disca_calls_ended_total)': 1,
    'sum(disca_call_setup_seconds_count{step="answered"})': 1,
    'sum(disca_recordings_received_total{outcome="stored"})': 1,
    'max(disca_registrations)': 1,
    'max(disca_ledger_differences)': 0,
  };
  const readValues = async () =>
    Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (each) => [each, await queryNumber(each)] as const)),
    );
  // Processes are scraped at different times, so a later event may be visible before an earlier one.
  await expect.poll(readValues).toEqual(expected);
  await expect
    .poll(() => queryNumber('sum(disca_lease_changes_total{change="taken"})'))
    .toBeGreaterThanOrEqual(1);
});

test('every panel of every dashboard has data', async () => {
  const folder = join(observability, 'dashboards');
  const panels = readdirSync(folder).flatMap((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).panels.flatMap(
      ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
        targets.map(({ expr }) => ({ panel: `${file}: ${title}`, expr })),
    ),
  ) as { panel: string; expr: string }[];
  expect(panels.length).toBeGreaterThan(40);
  const isEmpty = async (expr: string) =>
    (await prometheus.query(expr)).every(({ value }) => !Number.isFinite(value));
  const empty = async () => {
    const empty = await Promise.all(
      panels.map(async (each) => ((await isEmpty(each.expr)) ? each : undefined)),
    );
    return empty.filter((each) => each !== undefined);
  };
  const all = async () => {
    // A second request, because a counter that increased once has a rate of zero.
    await customer.ask('GET', '/calls');
    return (await empty()).length === 0;
  };
  await until(all, 'all panels have data').catch(() => undefined);
  expect(await empty()).toEqual([]);
});

test('every alert is loaded and evaluated, and none fires in normal operation', async () => {
  const named = readFileSync(join(observability, 'alerts.yml'), 'utf8').match(/alert: \w+/g) ?? [];
  const rules = await until(async () => {
    const loaded = await prometheus.rules();
    return loaded.every(({ health }) => health !== 'unknown') ? loaded : undefined;
  }, 'all rules were evaluated');
  expect(rules.map(({ name }) => `alert: ${name}`).toSorted()).toEqual(named.toSorted());
  expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  expect(rules.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([]);
});

const names = (spans: SeenSpan[]): string[] => spans.map(({ service, name }) => `${service} ${name}`);

function findOrphans(spans: SeenSpan[]): SeenSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId));
}

test('one trace with the call’s id covers the request, job, ARI and webhook', async () => {
  // Each process exports its spans on its own schedule, and a parent span after its children.
  await expect
    .poll(() => names(collector.ofCall(callId)))
    .toEqual(
      expect.arrayContaining([
        'disca-voice call',
        'disca-api POST /api/v1/calls',
        'disca-voice call claimed',
        'disca-voice ARI dial',
        'disca-voice call ringing',
        'disca-voice call answered',
        'disca-voice call talk',
        'disca-voice recording upload',
        'disca-worker webhook job channel-hangup',
        'disca-worker webhook job recording-ready',
        'disca-worker webhook request',
      ]),
    );
  await expect.poll(() => findOrphans(collector.ofCall(callId))).toEqual([]);
  const spans = collector.ofCall(callId);
  const [root] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(root?.name).toBe('call');
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(findOrphans(spans)).toEqual([]);
  for (const span of spans) {
    expect(span.attributes['disca.call.id']).toBe(callId);
    expect(span.isFault).toBe(false);
    expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
  }
  const request = spans.find(({ name }) => name === 'POST /api/v1/calls');
  expect(request?.links).toEqual([traceparent.split('-')[1]]);
});

test('a trace contains no number, name, address or secret', () => {
  const all = collector.texts.join('\n');
  expect(all).not.toContain(called);
  expect(all).not.toContain(line.senha);
  expect(all).not.toContain(customer.domain);
  expect(all).not.toContain(receiver.url);
  expect(all).not.toContain('Souza');
});

test('another process continues the trace when the one that had the call was killed', async () => {
  // A number whose call lasts until one side hangs up.
  const id = await placeCall(numberEnding('16'));
  const steps = () => names(collector.ofCall(id));
  await until(() => steps().includes('disca-voice call answered'), 'the answer is in the trace');
  const { voice } = deployment.programs;
  await voice.kill();
  await voice.start();
  expect((await customer.ask('POST', `/calls/${id}/hangup`)).status).toBe(200);
  await until(() => steps().includes('disca-voice call'), 'the call has ended in the trace');
  await until(
    () => steps().includes('disca-worker webhook job channel-hangup'),
    'the webhook of its end is in the trace',
  );
  const instances = collector.ofCall(id).filter(({ service }) => service === 'disca-voice');
  expect(new Set(instances.map(({ instance }) => instance)).size).toBe(2);
});
