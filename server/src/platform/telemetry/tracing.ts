/** A piece of work that is over, as it stands in a trace. Attributes name no person and no number. */
export interface Span {
  name: string;
  kind: 'internal' | 'server' | 'client' | 'consumer';
  startedAt: Date;
  endedAt: Date;
  attributes: Record<string, string | number | boolean | null | undefined>;
  /** What went wrong, in a word. */
  fault?: string | undefined;
  children?: Span[];
}

/** Where a stranger's own trace comes in, if its request says so. */
interface Request {
  traceparent?: string | undefined;
}

/**
 * Traces for whoever has a collector. What is told is told once it is over, so nothing has to be carried along: the trace
 * of a call has the call's id, in every process and after every crash, and so has its first span.
 */
export interface Tracing {
  /** False when nobody collects traces; whoever would take trouble to describe something asks first. */
  readonly isOn: boolean;
  /** The whole of a call; all else that is told of it stands below this. */
  tellCall(callId: string, span: Span): void;
  /** Something that belongs to a call. */
  tellOfCall(callId: string, span: Span, request?: Request): void;
  /** Something that belongs to no call. */
  tell(span: Span, request?: Request): void;
  /** Sends what was told and is not sent yet. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  isOn: false,
  tellCall: () => undefined,
  tellOfCall: () => undefined,
  tell: () => undefined,
  close: () => Promise.resolve(),
};

export interface TracingOptions {
  /** The collector, which takes OTLP over HTTP at /v1/traces below this. */
  endpoint: string;
  headers: Record<string, string>;
  /** The share of traces that is kept, between 0 and 1; by its id, so that all processes keep the same ones. */
  ratio: number;
  service: string;
  version: string;
}

/** The library is loaded only where traces are wanted. */
export async function openTracing(options: TracingOptions | undefined): Promise<Tracing> {
  if (!options) return noTracing;
  const { createOtlpTracing } = await import('./tracing-otlp.ts');
  return createOtlpTracing(options);
}
