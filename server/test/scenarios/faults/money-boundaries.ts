import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** One operation's statements and requests, up to where it is stopped. */
export interface BoundaryTrace {
  /** Statements and requests of the operation so far. */
  boundaries: string[];
  /** Number of the boundary to stop at, from 1; 0 for none. */
  stopAt: number;
  /** Stops before the statement or request is sent, or after it took effect but before its response is seen. */
  moment: Moment;
  onStop(): void;
}

export const moments = ['before', 'after'] as const;
export type Moment = (typeof moments)[number];

const traces = new AsyncLocalStorage<BoundaryTrace>();

export const follow = <T>(trace: BoundaryTrace, work: () => Promise<T>): Promise<T> =>
  traces.run(trace, work);

const forever = new Promise<never>(() => undefined);

/** Makes every statement and request of this process a boundary at which an operation can be stopped. */
export function watchBoundaries(): void {
  const { query } = pg.Client.prototype;
  const ask = query as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text: string }).text;
    return cross(
      text.replaceAll(/\s+/g, ' ').trim().slice(0, 200),
      () => ask.apply(this, args) as Promise<unknown>,
    );
  } as typeof query;

  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    cross(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`, () => fetch(input, init));
}

function cross<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const trace = traces.getStore();
  if (!trace) return ask();
  trace.boundaries.push(name);
  if (trace.boundaries.length !== trace.stopAt) return ask();
  if (trace.moment === 'before') trace.onStop();
  else ask().then(trace.onStop, trace.onStop);
  return forever;
}
