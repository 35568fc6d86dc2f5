import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useLiveEvents, useLiveState } from '../live/live.ts';
import { readAgain } from '../live/read-again.ts';
import { callQuery } from './call-query.ts';
import { countHolds, type HeldCall, type HoldState, holdState } from './hold-state.ts';
import { useMayChange } from './may-change.ts';

export interface Hold extends HoldState {
  /** Whether the user may control the call, as far as its record is known. */
  isOffered: boolean;
  /** Whether a command was sent whose effect is not known yet. */
  isChanging: boolean;
  /** Why the last command had no effect. */
  error: Error | null;
  /** Puts the other party on hold, or resumes the call. */
  toggle(): void;
}

/** The media node did not carry out a command. */
export class NotDone extends Error {}

interface Wanted {
  id: string;
  holds: boolean;
  /** How often it had been done before. */
  before: number;
}

const pollMs = 700;
/** Usually done within half a second; longer if voice restarts. */
const maxMs = 10_000;

/**
 * Who is on hold in an answered call, and the command that changes it. Read from the call's record, again after each
 * event, so commands from other tabs and from the API are shown as well.
 */
export function useHold(id: string | undefined, isAnswered: boolean): Hold {
  const queryClient = useQueryClient();
  const { extensions } = useSession();
  const query = callQuery(id ?? '');
  const { data: call } = useQuery({ ...query, enabled: id !== undefined && isAnswered });
  useReadAgain(isAnswered ? id : undefined);
  const ramais = extensions.map(({ ramal }) => ramal);
  const { isHolding, isHeld } = holdState(call, ramais);
  // Another command may have reversed it since.
  const isDone = (read: HeldCall, { holds, before }: Wanted): boolean =>
    read.status === 'ended' ||
    holdState(read, ramais).isHolding === holds ||
    countHolds(read, holds) > before;
  const change = useMutation({
    mutationFn: async (wanted: Wanted) => {
      await sendCommand(wanted.id, wanted.holds);
      const untilMs = Date.now() + maxMs;
      while (Date.now() < untilMs) {
        // Not through the cache, where a live event would cancel it.
        const read = await unwrap(api.GET('/calls/{id}', { params: { path: { id: wanted.id } } }));
        queryClient.setQueryData(callQuery(wanted.id).queryKey, read);
        if (isDone(read, wanted)) return;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      throw new NotDone();
    },
  });
  const { variables: wanted } = change;
  const isOpen = isAnswered && !!call && wanted !== undefined && wanted.id === id && !isDone(call, wanted);
  const isOffered = useMayChange(call);
  return {
    isOffered: isAnswered && isOffered,
    isHolding,
    isHeld,
    isChanging: isOpen && change.isPending,
    error: isOpen ? change.error : null,
    toggle() {
      if (id === undefined || !call || (isOpen && change.isPending)) return;
      change.mutate({ id, holds: !isHolding, before: countHolds(call, !isHolding) });
    },
  };
}

const sendCommand = (id: string, holds: boolean): Promise<unknown> =>
  unwrap(
    holds
      ? api.POST('/calls/{id}/hold', { params: { path: { id } }, body: {} })
      : api.POST('/calls/{id}/unhold', { params: { path: { id } }, body: {} }),
  );

/** Reads the record again after each event, and when the events of an interruption may have been missed. */
function useReadAgain(id: string | undefined): void {
  const queryClient = useQueryClient();
  const live = useLiveState();
  useLiveEvents(['channel-hold', 'channel-unhold'], ({ data }) => {
    if (id !== undefined && data.id === id) readAgain(queryClient, callQuery(id).queryKey);
  });
  useEffect(() => {
    if (id !== undefined && live === 'open')
      void queryClient.invalidateQueries({ queryKey: callQuery(id).queryKey, exact: true });
  }, [id, live, queryClient]);
}
