import { useEffect, useRef, useSyncExternalStore } from 'react';
import { joinTabGroup } from '../tabs/tab-group.ts';
import { follow, type LiveEvent } from './follow.ts';

export type { LiveEvent } from './follow.ts';

/** Messages between tabs: the leader follows the event stream, and all tabs receive its events. */
type TabMessage =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'position'; sequence: number }
  | { kind: 'state'; state: LiveState };

export type LiveState = 'starting' | 'open' | 'lost';

const listeners = new Set<(event: LiveEvent) => void>();
const watchers = new Set<() => void>();
let state: LiveState = 'starting';
let position: number | undefined;

function receive(message: TabMessage): void {
  if (message.kind === 'event') for (const listener of listeners) listener(message.event);
  if (message.kind === 'position') position = message.sequence;
  if (message.kind !== 'state' || message.state === state) return;
  state = message.state;
  for (const watcher of watchers) watcher();
}

/**
 * Follows the events of this user in one tab for all tabs of the browser. When that tab closes, another one resumes from
 * the last position. Returns a function that stops it.
 */
export function startLive(userUuid: string, onLoggedOut: () => void): () => void {
  const publish = (message: TabMessage): void => {
    receive(message);
    group.send(message);
  };
  const follower = {
    position: () => position,
    onPosition: (sequence: number) => publish({ kind: 'position', sequence }),
    onEvent: (event: LiveEvent) => publish({ kind: 'event', event }),
    onState: (reached: LiveState) => publish({ kind: 'state', state: reached }),
    onLoggedOut,
  };
  const group = joinTabGroup<TabMessage>(`disca-live-${userUuid}`, {
    snapshot: () => ({ kind: 'state', state }),
    receive,
    lead: (signal) => follow(follower, signal),
  });
  group.requestLeadership();
  return () => {
    group.leave();
    // The next user has another event log.
    position = undefined;
    receive({ kind: 'state', state: 'starting' });
  };
}

/** Calls the handler for every event of these types; `*` matches any type. */
export function useLiveEvents(types: readonly string[] | '*', handler: (event: LiveEvent) => void): void {
  const latest = useRef({ types, handler });
  latest.current = { types, handler };
  useEffect(() => {
    const listener = (event: LiveEvent): void => {
      const { types: subscribed, handler: handle } = latest.current;
      if (subscribed === '*' || subscribed.includes(event.type)) handle(event);
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
