import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Session, sessionQuery } from '../../api/session.ts';
import { lastFetchedAtMs } from '../../api/session-messages.ts';
import { useLiveEvents } from '../../shared/live/live.ts';

const callCountChange: Record<string, number> = { 'channel-create': 1, 'channel-hangup': -1 };
const refreshingEvents = [...Object.keys(callCountChange), 'call-priced', 'charge-paid', 'balance-low'];

/** Debounce: many calls may end at once, and one request covers them all. */
const debounceMs = 5_000;
/** Minimum interval between requests, across all tabs. */
const minIntervalMs = 10_000;
/** Upper bound for the time between the server's response and its arrival here. */
const maxLatencyMs = 1_000;

/** Refreshes the session data (user, account, credit, active calls) while the tab is visible. */
export function useRefreshSession(): void {
  const queryClient = useQueryClient();
  const [refresher] = useState(() =>
    createRefresher(() => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })),
  );
  useEffect(() => {
    document.addEventListener('visibilitychange', refresher.onVisible);
    return () => {
      document.removeEventListener('visibilitychange', refresher.onVisible);
      refresher.stop();
    };
  }, [refresher]);
  useLiveEvents(refreshingEvents, ({ type }) => {
    const step = callCountChange[type] ?? 0;
    queryClient.setQueryData<Session>(
      sessionQuery.queryKey,
      (session) => session && { ...session, liveCalls: Math.max(0, session.liveCalls + step) },
    );
    refresher.onChange();
  });
}

/** All tabs receive the same events at once: one visible tab makes the request and shares the response. */
function createRefresher(refresh: () => Promise<unknown>) {
  let changedAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isBehind = (): boolean => changedAtMs > lastFetchedAtMs() - maxLatencyMs;
  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(run, Math.max(delayMs, lastFetchedAtMs() + minIntervalMs - Date.now()));
  };
  const run = (): void => {
    timer = undefined;
    if (!isBehind() || document.hidden) return;
    if (Date.now() < lastFetchedAtMs() + minIntervalMs) schedule(0);
    else void refreshInOneTab(refresh);
  };
  return {
    onChange(): void {
      changedAtMs = Date.now();
      schedule(debounceMs);
    },
    onVisible(): void {
      if (isBehind() && !document.hidden) schedule(0);
    },
    stop: () => clearTimeout(timer),
  };
}

const refreshInOneTab = (refresh: () => Promise<unknown>): Promise<void> =>
  navigator.locks.request('disca-session', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await refresh();
    // Gives tabs whose timers fire slightly later time to see that the lock is taken.
    await new Promise((resolve) => setTimeout(resolve, maxLatencyMs));
  });
