import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  type Link,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, Tracing, TracingOptions } from './tracing.ts';

/** While the collector is unavailable, spans beyond this queue size are dropped. */
const maxQueued = 4_096;
const sendEveryMs = 1_000;
const sendTimeoutMs = 5_000;
/** Maximum time that shutdown waits for the collector. */
const maxCloseMs = 2_000;

const kinds: Record<Span['kind'], SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

export function createOtlpTracing(options: TracingOptions): Tracing {
  const ids = createIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': options.version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
    }),
    sampler: new TraceIdRatioBasedSampler(options.ratio),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
          headers: options.headers,
          timeoutMillis: sendTimeoutMs,
        }),
        maxQueueSize: maxQueued,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('disca', options.version);

  const begin = ({ name, kind, startedAt, attributes }: Span, parent: Context, links: Link[] = []) =>
    tracer.startSpan(
      name,
      { kind: kinds[kind], startTime: startedAt, attributes: withoutNulls(attributes), links },
      parent,
    );
  const finish = (span: Span, begun: OpenSpan): void => {
    const { startedAt, endedAt, errorType, children = [] } = span;
    const inside = trace.setSpan(ROOT_CONTEXT, begun);
    for (const child of children) finish(child, begin(child, inside));
    if (errorType !== undefined) begun.setStatus({ code: SpanStatusCode.ERROR, message: errorType });
    // After the clock was set back, a span must not end before it started.
    begun.end(Math.max(endedAt.getTime(), startedAt.getTime()));
  };

  return {
    isOn: true,
    recordCall(callId, span) {
      const begun = ids.using(traceIdOf(callId), rootIdOf(callId), () => begin(span, ROOT_CONTEXT));
      finish(span, begun);
    },
    recordCallSpan: (callId, span, { traceparent } = {}) =>
      finish(span, begin(span, insideCall(callId), linksTo(traceparent))),
    recordSpan: (span, { traceparent } = {}) => finish(span, begin(span, ROOT_CONTEXT, linksTo(traceparent))),
    async close() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(maxCloseMs, undefined, { ref: false })]);
    },
  };
}

const traceIdOf = (callId: string): string => callId.replaceAll('-', '');
/** Returns the root span id: the random part of the call's id. */
const rootIdOf = (callId: string): string => traceIdOf(callId).slice(16);

const insideCall = (callId: string): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceIdOf(callId),
    spanId: rootIdOf(callId),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });

/** Generates random ids, except for the first span of a call, whose ids are derived from the call. */
function createIds() {
  const random = new RandomIdGenerator();
  let forced: { traceId: string; spanId: string } | undefined;
  return {
    generateTraceId: () => forced?.traceId ?? random.generateTraceId(),
    generateSpanId: () => forced?.spanId ?? random.generateSpanId(),
    /** Spans started inside the callback get these ids. */
    using<T>(traceId: string, spanId: string, begin: () => T): T {
      forced = { traceId, spanId };
      try {
        return begin();
      } finally {
        forced = undefined;
      }
    },
  };
}

/** Links to the client's own trace. Clients cannot choose our trace ids. */
function linksTo(traceparent: string | undefined): Link[] {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: TraceFlags.NONE } }];
}

const withoutNulls = (attributes: Span['attributes']): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== undefined,
    ),
  );
