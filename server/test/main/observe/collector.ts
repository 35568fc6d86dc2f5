import { startReceiver } from '../../adapters/webhooks/servers.ts';

/** A span as OTLP encodes it. */
export interface SeenSpan {
  service: string;
  instance: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  isFault: boolean;
  links: string[];
}

export interface Collector {
  url: string;
  spans: SeenSpan[];
  /** Received bodies as text. */
  texts: string[];
  /** The spans of one call, oldest first. */
  ofCall(callId: string): SeenSpan[];
  stop(): Promise<void>;
}

type Json = ReturnType<typeof JSON.parse>;

/** Receives traces as a collector does: OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: SeenSpan[] = [];
  const texts: string[] = [];
  const server = await startReceiver((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) {
        texts.push(text);
        spans.push(...readSpans(JSON.parse(text)));
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    texts,
    ofCall: (callId) =>
      spans
        .filter(({ traceId }) => traceId === callId.replaceAll('-', ''))
        .toSorted((one, other) => one.startMs - other.startMs),
    stop: () => server.close(),
  };
}

function readSpans(body: Json): SeenSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) => {
    const about = toAttributes(resource.attributes);
    return scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        service: about['service.name'],
        instance: about['service.instance.id'],
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        name: span.name,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        attributes: toAttributes(span.attributes),
        isFault: span.status?.code === 2,
        links: (span.links ?? []).map((link: Json) => link.traceId),
      })),
    );
  });
}

const toAttributes = (list: Json[] = []): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
