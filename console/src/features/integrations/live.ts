import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';

/** Minimum interval between refreshes; events arrive in bursts, and deliveries follow them. */
const everyMs = 15_000;
/** Webhooks are sent shortly after their event. */
const deliveredAfterMs = 1_500;

/** Reloads a query after events of these types, when their webhooks have been sent; `*` matches any type. */
export function useReloadAfter(types: readonly string[] | '*', queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const readAgain = useThrottled(() => void queryClient.invalidateQueries({ queryKey }), everyMs);
  useLiveEvents(types, () => void setTimeout(readAgain, deliveredAfterMs));
}
