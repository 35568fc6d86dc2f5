import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** One operation's statements and requests, up to where it is stopped. */
export interface Passage {
  /** Statements and requests so far. */
  boundaries: string[];
  /** Counted from 1; 0 does not stop it. */
  stopAt: number;
  /** Before it is sent, or after it was done but before the response is seen. */
  moment: Moment;
  onStop(): void;
}

export const moments = ['before', 'after'] as const;
export type Moment = (typeof moments)[number];

const passages = new AsyncLocalStorage<Passage>();

export const follow = <T>(passage: Passage, work: () => Promise<T>): Promise<T> =>
  passages.run(passage, work);

const forever = new Promise<never>(() => undefined);

/** Makes every statement and every request of this process a boundary at which an operation can be stopped. */
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
  const passage = passages.getStore();
  if (!passage) return ask();
  passage.boundaries.push(name);
  if (passage.boundaries.length !== passage.stopAt) return ask();
  if (passage.moment === 'before') passage.onStop();
  else ask().then(passage.onStop, passage.onStop);
  return forever;
}
