import type { Session } from './session.ts';

/** Messages between tabs about the session, which they share through the cookie. */
export type SessionMessage =
  /** `fresh`: one tab fetched the session for all of them. */
  { kind: 'fresh'; session: Session } | { kind: 'loggedIn' } | { kind: 'loggedOut' };

const channel = new BroadcastChannel('disca-session');
let lastFetchedMs = 0;

const recordFetch = ({ kind }: SessionMessage): void => {
  if (kind === 'fresh') lastFetchedMs = Date.now();
};

/** Returns when any tab last fetched the session. */
export const lastFetchedAtMs = (): number => lastFetchedMs;

export function sendToTabs(message: SessionMessage): void {
  recordFetch(message);
  channel.postMessage(message);
}

/** Sets the listener; there is one per page. */
export function onTabMessage(listener: (message: SessionMessage) => void): void {
  channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
    recordFetch(data);
    listener(data);
  };
}
