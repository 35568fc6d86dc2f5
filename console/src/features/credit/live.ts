import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import { chargesQuery, statementKey } from './queries.ts';

/** Hundreds of calls may end at once; one request covers them all. */
const statementEveryMs = 10_000;

/** Refreshes the screen from live events. Returns the charge that was just paid, and a function to dismiss it. */
export function useLiveCredit(): { paidId: number | undefined; forgetPaid: () => void } {
  const queryClient = useQueryClient();
  const [paidId, setPaidId] = useState<number>();
  const refreshStatement = useThrottled(() => {
    // Does not refetch after the user has loaded further pages, so that the rows do not move.
    const predicate = ({ state }: { state: { data?: unknown } }): boolean =>
      ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= 1;
    void queryClient.invalidateQueries({ queryKey: statementKey, predicate });
  }, statementEveryMs);
  useLiveEvents(['charge-paid', 'call-priced'], ({ type, data }) => {
    refreshStatement();
    if (type !== 'charge-paid') return;
    setPaidId(Number(data.id));
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: chargesQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['credit', 'charge'] });
  });
  return { paidId, forgetPaid: () => setPaidId(undefined) };
}
