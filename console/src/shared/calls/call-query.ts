import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['calls', 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/calls/{id}', { params: { path: { id } }, signal })),
  });
