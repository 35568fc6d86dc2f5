import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';

export type CallNote = Answer<'/calls/{id}/note', 'put'>;

export const dispositionsQuery = queryOptions({
  queryKey: ['dispositions'],
  queryFn: ({ signal }) => unwrap(api.GET('/dispositions', { signal })),
});

export const saveDispositions = (names: string[]) => unwrap(api.PUT('/dispositions', { body: { names } }));

export const saveNote = (id: string, body: CallNote) =>
  unwrap(api.PUT('/calls/{id}/note', { params: { path: { id } }, body }));
