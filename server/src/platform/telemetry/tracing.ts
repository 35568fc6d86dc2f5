/** A finished operation in a trace. Attributes contain no names and no phone numbers. */
export interface Span {
  name: string;
  kind: 'internal' | 'server' | 'client' | 'consumer';
  startedAt: Date;
  endedAt: Date;
  attributes: Record<string, string | number | boolean | null | undefined>;
  /** Error type, if the operation failed. */
  errorType?: string | undefined;
  children?: Span[];
}

/** The client's own trace context, if its request has one. */
interface Request {
  traceparent?: string | undefined;
}

/**
 * Traces for an OpenTelemetry collector. Spans are recorded when they finish, so no context is propagated: the trace id
 * and the root span id of a call are derived from the call's id, so they are the same in every process and after a
 * crash.
 */
export interface Tracing {
  /** False if no collector is configured. Check it before building expensive attributes. */
  readonly isOn: boolean;
  /** Records a call as the root span of its trace. */
  recordCall(callId: string, span: Span): void;
  /** Records a span within a call's trace. */
  recordCallSpan(callId: string, span: Span, request?: Request): void;
  /** Records a span that belongs to no call. */
  recordSpan(span: Span, request?: Request): void;
  /** Flushes spans that were not sent yet. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  isOn: false,
  recordCall: () => undefined,
  recordCallSpan: () => undefined,
  recordSpan: () => undefined,
  close: () => Promise.resolve(),
};

export interface TracingOptions {
  /** The collector's base URL; it accepts OTLP over HTTP at /v1/traces. */
  endpoint: string;
  headers: Record<string, string>;
  /** Sampling ratio between 0 and 1. Decided by the trace id, so that all processes keep the same traces. */
  ratio: number;
  service: string;
  version: string;
}

/** Loads the library only if tracing is configured. */
export async function openTracing(options: TracingOptions | undefined): Promise<Tracing> {
  if (!options) return noTracing;
  const { createOtlpTracing } = await import('./tracing-otlp.ts');
  return createOtlpTracing(options);
}
