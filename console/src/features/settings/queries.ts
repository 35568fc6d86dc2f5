import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Account = paths['/accounts']['get']['responses'][200]['content']['application/json'];
export type Limits = paths['/accounts/limits']['get']['responses'][200]['content']['application/json'];

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => unwrap(api.GET('/accounts', { signal })),
});

export const callerIdsQuery = queryOptions({
  queryKey: ['caller ids'],
  queryFn: ({ signal }) => unwrap(api.GET('/callerIds', { signal })),
});

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => unwrap(api.GET('/accounts/limits', { signal })),
});
