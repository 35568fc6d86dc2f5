import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads a query again because its data has changed. A read in progress may precede the change: an invalidation cancels
 * it only if there is data from an earlier one, so the first read is cancelled here.
 */
export function readAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  const filters = { queryKey, exact: true };
  void queryClient.cancelQueries({ ...filters, predicate: ({ state }) => state.data === undefined });
  void queryClient.invalidateQueries(filters);
}
