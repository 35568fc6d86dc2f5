import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';

export type Account = Answer<'/accounts'>;
export type Limits = Answer<'/accounts/limits'>;

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
