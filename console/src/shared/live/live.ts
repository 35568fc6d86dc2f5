import { useEffect, useRef, useSyncExternalStore } from 'react';
import { follow, type LiveEvent } from './follow.ts';

export type { LiveEvent } from './follow.ts';

/** What tabs tell each other: one of them follows the log, all of them hear. */
type Told =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'position'; sequence: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'hello' };

export type LiveState = 'starting' | 'open' | 'lost';

const listeners = new Set<(event: LiveEvent) => void>();
const watchers = new Set<() => void>();
let state: LiveState = 'starting';
let position: number | undefined;

function hear(told: Told): void {
  if (told.kind === 'event') for (const listener of listeners) listener(told.event);
  if (told.kind === 'position') position = told.sequence;
  if (told.kind !== 'state' || told.state === state) return;
  state = told.state;
  for (const watcher of watchers) watcher();
}

/** Follows the events of this person, in one tab of the browser for all of them. Returns how to stop. */
export function startLive(userUuid: string, onLoggedOut: () => void): () => void {
  const name = `disca-live-${userUuid}`;
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  let leads = false;
  const tell = (told: Told): void => {
    hear(told);
    channel.postMessage(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === 'hello' && leads) channel.postMessage({ kind: 'state', state } satisfies Told);
    else hear(data);
  };
  channel.postMessage({ kind: 'hello' } satisfies Told);
  const lead = async (): Promise<void> => {
    leads = true;
    const follower = {
      position: () => position,
      onPosition: (sequence: number) => tell({ kind: 'position', sequence }),
      onEvent: (event: LiveEvent) => tell({ kind: 'event', event }),
      onState: (reached: LiveState) => tell({ kind: 'state', state: reached }),
      onLoggedOut,
    };
    await follow(follower, stopping.signal);
  };
  // Whoever holds the lock follows; when its tab is closed the next in line goes on from the last position.
  navigator.locks.request(name, { signal: stopping.signal }, lead).catch(() => undefined);
  return () => {
    stopping.abort();
    channel.close();
    // Whoever comes next has a log of their own.
    position = undefined;
    hear({ kind: 'state', state: 'starting' });
  };
}

/** Calls back for every event of these types; `*` is any. */
export function useLiveEvents(types: readonly string[] | '*', handler: (event: LiveEvent) => void): void {
  const latest = useRef({ types, handler });
  latest.current = { types, handler };
  useEffect(() => {
    const listener = (event: LiveEvent): void => {
      const { types: wanted, handler: handle } = latest.current;
      if (wanted === '*' || wanted.includes(event.type)) handle(event);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );
