import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Session, sessionQuery } from '../../api/session.ts';
import { freshAtMs } from '../../api/tabs.ts';
import { useLiveEvents } from '../../shared/live/live.ts';

const stepOf: Record<string, number> = { 'channel-create': 1, 'channel-hangup': -1 };
const moving = [...Object.keys(stepOf), 'call-priced', 'charge-paid', 'balance-low'];

/** Debounce: many calls may end at once, and one request covers them all. */
const settlesMs = 5_000;
/** Minimum interval between requests, across all tabs. */
const everyMs = 10_000;
/** Upper bound for the time between the server's response and its arrival here. */
const underWayMs = 1_000;

/** Refreshes the session data (user, account, credit, active calls) while the tab is visible. */
export function useFreshSession(): void {
  const queryClient = useQueryClient();
  const [asker] = useState(() =>
    createAsker(() => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })),
  );
  useEffect(() => {
    document.addEventListener('visibilitychange', asker.lookAgain);
    return () => {
      document.removeEventListener('visibilitychange', asker.lookAgain);
      asker.stop();
    };
  }, [asker]);
  useLiveEvents(moving, ({ type }) => {
    const step = stepOf[type] ?? 0;
    queryClient.setQueryData<Session>(
      sessionQuery.queryKey,
      (known) => known && { ...known, liveCalls: Math.max(0, known.liveCalls + step) },
    );
    asker.moved();
  });
}

/** All tabs receive the same events at once: one visible tab makes the request and shares the response. */
function createAsker(ask: () => Promise<unknown>) {
  let movedAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isBehind = (): boolean => movedAtMs > freshAtMs() - underWayMs;
  const plan = (leastMs: number): void => {
    timer ??= setTimeout(run, Math.max(leastMs, freshAtMs() + everyMs - Date.now()));
  };
  const run = (): void => {
    timer = undefined;
    if (!isBehind() || document.hidden) return;
    if (Date.now() < freshAtMs() + everyMs) plan(0);
    else void askAlone(ask);
  };
  return {
    moved(): void {
      movedAtMs = Date.now();
      plan(settlesMs);
    },
    lookAgain(): void {
      if (isBehind() && !document.hidden) plan(0);
    },
    stop: () => clearTimeout(timer),
  };
}

const askAlone = (ask: () => Promise<unknown>): Promise<void> =>
  navigator.locks.request('disca-session', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await ask();
    // Gives tabs whose timers fire slightly later time to see that the lock is taken.
    await new Promise((resolve) => setTimeout(resolve, underWayMs));
  });
