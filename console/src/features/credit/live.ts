import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import { chargesQuery, statementKey } from './queries.ts';

/** Calls may end by the hundred; the statement is read anew once for all of them. */
const statementEveryMs = 10_000;

/** Keeps the screen true while it is looked at. Tells the charge that was paid meanwhile, and how to forget it. */
export function useLiveCredit(): { paidId: number | undefined; forgetPaid: () => void } {
  const queryClient = useQueryClient();
  const [paidId, setPaidId] = useState<number>();
  const refreshStatement = useThrottled(() => {
    // Who has leafed on is reading; what they read stays where it is.
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
