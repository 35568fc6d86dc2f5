import { useQueryClient } from '@tanstack/react-query';
import { useLiveEvents } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import type { EventType } from './event-types.ts';
import { healthQuery } from './queries.ts';

/** Events come in groups and deliveries follow them: all of them are asked about together, and not more often. */
const everyMs = 15_000;
/** A webhook leaves a moment after its event. */
const deliveredAfterMs = 1_500;

/** Reads again how all of them fare when anything was told. */
export function useLiveHealth(): void {
  const queryClient = useQueryClient();
  const readAgain = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: healthQuery.queryKey }),
    everyMs,
  );
  useLiveEvents('*', () => void setTimeout(readAgain, deliveredAfterMs));
}

/** Reads deliveries again when something was told that this integration listens to. */
export function useLiveDeliveries(id: number, types: EventType[]): void {
  const queryClient = useQueryClient();
  const readAgain = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: ['integrations', id, 'deliveries'] }),
    everyMs,
  );
  useLiveEvents(types, () => void setTimeout(readAgain, deliveredAfterMs));
}
