import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Session, sessionQuery } from '../../api/session.ts';
import { freshAtMs } from '../../api/tabs.ts';
import { useLiveEvents } from '../../shared/live/live.ts';

const stepOf: Record<string, number> = { 'channel-create': 1, 'channel-hangup': -1 };
const moving = [...Object.keys(stepOf), 'call-priced', 'charge-paid', 'balance-low'];

/** Many calls may end at once; the credit is asked for once for all of them. */
const settlesMs = 5_000;
/** However much happens, and in however many tabs it is looked at. */
const everyMs = 10_000;
/** An answer may have been made this long before it came. */
const underWayMs = 1_000;

/** Keeps what is known of the person and the account true while it is looked at. */
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

/** Every tab hears of the same events at the same moment: one that is looked at asks, and the others hear its answer. */
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
    // Those whose clocks run a little late find it taken.
    await new Promise((resolve) => setTimeout(resolve, underWayMs));
  });
