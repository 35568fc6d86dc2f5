import { readMessages } from '../../../../sdk/src/server-sent.ts';
import { apiPath, consoleHeaders } from '../../api/client.ts';
import { isLoggedOut, type Problem, readProblem } from '../../api/problem.ts';

export interface LiveEvent {
  sequence: number;
  type: string;
  occurredAt: string;
  id: string;
  data: Record<string, unknown>;
}

export interface Follower {
  /** Sequence of the last event received; the stream resumes after it. */
  position(): number | undefined;
  onPosition(sequence: number): void;
  onEvent(event: LiveEvent): void;
  onState(state: 'open' | 'lost'): void;
  onLoggedOut(): void;
}

const firstWaitMs = 1_000;
const maxWaitMs = 30_000;
/** The server sends a keep-alive every 15 s; a stream that is silent for longer is considered dead. */
const silenceMs = 40_000;

/** Follows the event stream until aborted. Reconnects with exponential back-off. */
export async function follow(follower: Follower, signal: AbortSignal): Promise<void> {
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    const startedMs = Date.now();
    const problem = await followOnce(follower, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (isLoggedOut(problem)) {
      follower.onLoggedOut();
      return;
    }
    // A long-lived connection resets the back-off.
    if (Date.now() - startedMs > maxWaitMs) waitMs = firstWaitMs;
    const askedMs = (problem?.retryAfterSeconds ?? 0) * 1000;
    follower.onState('lost');
    await waitOrOnline(Math.max(askedMs, waitMs * (0.75 + Math.random() / 2)), signal);
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
}

async function followOnce(follower: Follower, signal: AbortSignal): Promise<Problem | undefined> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const position = follower.position();
    const response = await fetch(`${apiPath}/events/stream`, {
      headers: {
        ...consoleHeaders,
        Accept: 'text/event-stream',
        ...(position === undefined ? {} : { 'Last-Event-ID': String(position) }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) return await readProblem(response);
    follower.onState('open');
    const onChunk = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    };
    for await (const { id, data } of readMessages(response.body, onChunk)) {
      if (data !== '') follower.onEvent(JSON.parse(data) as LiveEvent);
      if (id !== undefined) follower.onPosition(Number(id));
    }
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, but returns early when the browser is online again. */
function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const finish = (): void => {
      done.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    const once = { signal: done.signal };
    window.addEventListener('online', finish, once);
    signal.addEventListener('abort', finish, once);
  });
}
