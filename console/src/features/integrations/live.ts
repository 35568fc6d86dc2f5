import { useQueryClient } from '@tanstack/react-query';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import type { EventType } from './event-types.ts';
import { healthQuery } from './queries.ts';

/** Minimum interval between refreshes; events arrive in bursts, and deliveries follow them. */
const everyMs = 15_000;
/** Webhooks are sent shortly after their event. */
const deliveredAfterMs = 1_500;

/** Reloads the health of all integrations after any event. */
export function useLiveHealth(): void {
  const queryClient = useQueryClient();
  const readAgain = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: healthQuery.queryKey }),
    everyMs,
  );
  useLiveEvents('*', () => void setTimeout(readAgain, deliveredAfterMs));
}

/** Reloads deliveries after events that this integration subscribes to. */
export function useLiveDeliveries(id: number, types: EventType[]): void {
  const queryClient = useQueryClient();
  const readAgain = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: ['integrations', id, 'deliveries'] }),
    everyMs,
  );
  useLiveEvents(types, () => void setTimeout(readAgain, deliveredAfterMs));
}
