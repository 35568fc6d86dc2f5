import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { useLiveEvents, useLiveState } from '../../shared/live/live.ts';
import { useThrottled } from '../../shared/time/use-throttled.ts';

type Page = Answer<'/availability'>;
export type Teammate = Page['data'][number];

const mostPages = 10;

/** Everyone the user may follow, up to 5,000 people. */
export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: async ({ signal }) => {
    const people: Teammate[] = [];
    let after: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const query: { after?: string } = after ? { after } : {};
      const { data, meta }: Page = await unwrap(api.GET('/availability', { params: { query }, signal }));
      people.push(...data);
      after = meta.nextAfter;
      if (!after) break;
    }
    return people;
  },
});

const callSteps = [
  'channel-ringing',
  'channel-dialing',
  'channel-alerting',
  'channel-answer',
  'channel-hangup',
];
/** Minimum interval between reads; on a busy account, calls change all the time. */
const refreshEveryMs = 3_000;

/** Keeps the team current: availability from the stream, and calls by reading again after their events. */
export function useLiveTeam(): void {
  const queryClient = useQueryClient();
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: teamQuery.queryKey }),
    refreshEveryMs,
  );
  useLiveEvents(['availability-changed'], ({ data }) => {
    const { uuid, status, reason, since } = data as Pick<Teammate, 'uuid' | 'status' | 'reason' | 'since'>;
    queryClient.setQueryData<Teammate[]>(teamQuery.queryKey, (people) =>
      people?.map((each) => (each.uuid === uuid ? withStatus({ ...each, status, reason, since }) : each)),
    );
  });
  useLiveEvents(callSteps, refresh);
  // Changes of availability are not sent again after an interruption.
  const state = useLiveState();
  const previous = useRef(state);
  useEffect(() => {
    if (previous.current === 'lost' && state === 'open') refresh();
    previous.current = state;
  }, [state, refresh]);
}

/** Returns the person with the state that the API derives from the same facts. */
function withStatus(person: Teammate): Teammate {
  if (person.calls.length > 0) return { ...person, state: 'in_call' };
  if (person.status !== 'available') return { ...person, state: person.status };
  return { ...person, state: person.isRegistered ? 'available' : 'offline' };
}
