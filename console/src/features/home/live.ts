import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import { useToday } from '../../shared/time/use-today.ts';
import { healthQuery, type Summary, todayQuery } from './queries.ts';

/** Minimum interval between refreshes of today's summary; every call event changes it. */
const dayEveryMs = 10_000;
/** The monthly summary changes slowly. */
const monthEveryMs = 60_000;

const steps = ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup', 'call-priced'];
const change: Record<string, number> = { 'channel-create': 1, 'channel-hangup': -1 };

/** Refreshes the summaries while the tab is visible. */
export function useLiveSummaries(): void {
  const queryClient = useQueryClient();
  const refreshDay = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: todayQuery.queryKey }),
    dayEveryMs,
  );
  const refreshMonth = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: ['home', 'month'] }),
    monthEveryMs,
  );
  useLiveEvents(steps, ({ type }) => {
    queryClient.setQueryData<Summary>(
      todayQuery.queryKey,
      (summary) =>
        summary && {
          ...summary,
          live: { ...summary.live, total: Math.max(0, summary.live.total + (change[type] ?? 0)) },
        },
    );
    refreshDay();
    refreshMonth();
  });
  // No event reports failing endpoints; the session counts them.
  const { failing, disabled } = useSession().webhooks;
  useRefreshOnChange(`${failing}/${disabled}`, healthQuery.queryKey);
  // At midnight there may be no event. The month query has its first day as key and refetches anyway.
  useRefreshOnChange(useToday(), todayQuery.queryKey);
}

function useRefreshOnChange(value: string, queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const previous = useRef(value);
  useEffect(() => {
    if (previous.current === value) return;
    previous.current = value;
    void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, queryKey, value]);
}
