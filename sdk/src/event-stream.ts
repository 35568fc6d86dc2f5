import type { Api } from './api.ts';
import { DiscaError } from './errors.ts';
import { pause } from './pause.ts';
import { readMessages } from './server-sent.ts';
import type { Availability, EventType } from './types.ts';
import type { Payloads } from './webhook-payloads.ts';

/** An event of the log; `type` determines `data`. Ignore unknown types: more may be added. */
export type LoggedEvent = {
  [Type in EventType]: {
    /** Number of the event within the account. Store the last one you processed, to resume after it. */
    sequence: number;
    type: Type;
    occurredAt: string;
    /** The `webhook-id` of the same event. */
    id: string;
    data: Payloads[Type];
  };
}[EventType];

/** Progress of a running call, which is only streamed: it has no number, and is not in the log. */
export interface CallProgress {
  /** Number of the last event before it. */
  sequence: number;
  /** The extension answered and the destination is dialled; or the destination rings. */
  type: 'channel-dialing' | 'channel-alerting';
  occurredAt: string;
  id: string;
  data: Omit<Payloads['channel-ringing'], 'accountSequence' | 'sequence'>;
}

/** A user has changed their availability: streamed like progress, and read again with `GET /availability`. */
export interface AvailabilityChange {
  /** Number of the last event before it. */
  sequence: number;
  type: 'availability-changed';
  occurredAt: string;
  id: string;
  data: Availability & { uuid: string; name: string };
}

export type StreamedEvent = LoggedEvent | CallProgress | AvailabilityChange;

export interface StreamOptions {
  /** Event number to start after; default: new events only. */
  after?: number | undefined;
  /** Aborting it ends the stream without an error. */
  signal?: AbortSignal | undefined;
  /** Called when the connection was lost, before reconnecting. */
  onReconnect?: ((error: unknown) => void) | undefined;
  /** Called when the stream is open, initially and after every reconnection. */
  onOpen?: (() => void) | undefined;
  /** How long to keep reconnecting while the service is unreachable; default: 15 minutes. */
  patienceMs?: number | undefined;
}

/** The service sends a heartbeat every 15 seconds; after this long without data the connection is dead. */
const longestSilenceMs = 45_000;
const usualPatienceMs = 15 * 60_000;
const firstPauseMs = 500;
const longestPauseMs = 15_000;

/**
 * Yields every event once, in order. After an interruption it resumes after the last event yielded. Also yields the
 * progress of calls and changes of availability while it is connected.
 */
export async function* streamEvents(
  api: Api,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { signal, patienceMs = usualPatienceMs } = options;
  let position = options.after;
  let failures = 0;
  let lastHeardMs = performance.now();
  while (!signal?.aborted) {
    const connection = new AbortController();
    try {
      for await (const message of listen(api, position, connection, options)) {
        failures = 0;
        lastHeardMs = performance.now();
        if (message.id !== undefined) position = Number(message.id);
        if (message.data !== '') yield JSON.parse(message.data) as StreamedEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error) || performance.now() - lastHeardMs > patienceMs) throw error;
      failures += 1;
      options.onReconnect?.(error);
    } finally {
      connection.abort();
    }
    await pause(pauseMs(failures), signal).catch(() => undefined);
  }
}

async function* listen(api: Api, after: number | undefined, own: AbortController, options: StreamOptions) {
  const signal = options.signal ? AbortSignal.any([own.signal, options.signal]) : own.signal;
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (after !== undefined) headers['last-event-id'] = String(after);
  const response = await api.open({ method: 'GET', path: '/events/stream', headers }, { signal, retries: 0 });
  if (!response.body) return;
  options.onOpen?.();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = () => own.abort(new DiscaError('TIMEOUT', { message: 'The event stream timed out.' }));
  const onHeard = () => {
    clearTimeout(timer);
    timer = setTimeout(silence, longestSilenceMs);
  };
  onHeard();
  try {
    yield* readMessages(response.body, onHeard);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether an error is an interruption. Permanent refusals end the stream. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof DiscaError)) return true;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

const pauseMs = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2);
