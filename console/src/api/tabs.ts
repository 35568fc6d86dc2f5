import type { Session } from './session.ts';

/** Messages between tabs about the session, which they share through the cookie. */
export type SessionNews =
  /** `fresh`: one tab fetched the session for all of them. */
  { kind: 'fresh'; session: Session } | { kind: 'entered' } | { kind: 'left' };

const channel = new BroadcastChannel('disca-session');
let lastFreshMs = 0;

const note = ({ kind }: SessionNews): void => {
  if (kind === 'fresh') lastFreshMs = Date.now();
};

/** Returns when any tab last fetched the session. */
export const freshAtMs = (): number => lastFreshMs;

export function tellTabs(news: SessionNews): void {
  note(news);
  channel.postMessage(news);
}

/** Sets the listener; there is one per page. */
export function hearTabs(listener: (news: SessionNews) => void): void {
  channel.onmessage = ({ data }: MessageEvent<SessionNews>) => {
    note(data);
    listener(data);
  };
}
