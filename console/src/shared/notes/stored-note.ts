import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callQuery } from '../calls/call-query.ts';
import { useLiveEvents } from '../live/live.ts';
import { readAgain } from '../live/read-again.ts';
import { dispositionsQuery } from './queries.ts';

/** Reads the stored note of a call, again when it is changed elsewhere, and the dispositions to choose from. */
export function useStoredNote(id: string | undefined) {
  const queryClient = useQueryClient();
  useLiveEvents(['call-updated'], ({ data }) => {
    if (id !== undefined && data.id === id) readAgain(queryClient, callQuery(id).queryKey);
  });
  useQuery({ ...dispositionsQuery, enabled: id !== undefined });
  return useQuery({ ...callQuery(id ?? ''), enabled: id !== undefined, staleTime: 0 });
}
