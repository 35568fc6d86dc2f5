import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { type Contact, contactsKey } from '../../shared/contacts/queries.ts';

const perPage = 100;
/** More are found with the search. */
export const maxPages = 20;

/** The contacts by name, or those that match the words. No event reports changes, so every visit reads them again. */
export const contactsQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...contactsKey, 'list', q],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        filter: JSON.stringify({ limit: perPage }),
        ...(q !== undefined && { q }),
        ...(pageParam && { cursor: pageParam }),
      };
      const { data, meta } = await unwrap(api.GET('/contacts', { params: { query }, signal }));
      return { rows: data as Contact[], next: meta.nextCursor };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/contacts/{id}', { params: { path: { id } }, signal })),
  });

const callFields = [
  'id',
  'call_type',
  'status',
  'started_at',
  'answered_at',
  'from',
  'to',
  'duration',
  'hangup_cause',
  'first_name',
  'last_name',
  'disposition',
  'tags',
] as const satisfies (keyof Answer<'/calls/{id}'>)[];

export type ContactCall = Pick<Answer<'/calls/{id}'>, (typeof callFields)[number]>;

const shownCalls = 10;

/** The newest calls with the number, found by words, which works in any number of calls. */
export const contactCallsQuery = (number: string) =>
  queryOptions({
    queryKey: ['calls', 'with', number],
    queryFn: async ({ signal }) => {
      const query = { q: number, filter: JSON.stringify({ limit: shownCalls, fields: callFields }) };
      const { data, meta } = await unwrap(api.GET('/calls/search', { params: { query }, signal }));
      return { calls: data as ContactCall[], hasMore: meta.nextCursor !== undefined };
    },
    staleTime: 0,
  });

export const removeContact = (id: string) =>
  unwrap(api.DELETE('/contacts/{id}', { params: { path: { id } } }));
