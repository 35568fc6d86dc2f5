import type { Session } from './session.ts';

/** What tabs tell each other of the session that they share: its cookie belongs to the browser, not to a tab. */
export type SessionNews =
  /** One tab asked how things are, for all of them. */
  { kind: 'fresh'; session: Session } | { kind: 'entered' } | { kind: 'left' };

const channel = new BroadcastChannel('disca-session');
let lastFreshMs = 0;

const note = ({ kind }: SessionNews): void => {
  if (kind === 'fresh') lastFreshMs = Date.now();
};

/** When a tab, this one or another, last asked. */
export const freshAtMs = (): number => lastFreshMs;

export function tellTabs(news: SessionNews): void {
  note(news);
  channel.postMessage(news);
}

/** There is one listener: the page. */
export function hearTabs(listener: (news: SessionNews) => void): void {
  channel.onmessage = ({ data }: MessageEvent<SessionNews>) => {
    note(data);
    listener(data);
  };
}
