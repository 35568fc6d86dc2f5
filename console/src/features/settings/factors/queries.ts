import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../../api/client.ts';

export type OwnFactors = Answer<'/users/me/factors'>;
export type OwnFactor = OwnFactors['factors'][number];

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => unwrap(api.GET('/users/me/factors', { signal })),
});

export const adminFactorsQuery = queryOptions({
  queryKey: ['admin factors'],
  queryFn: ({ signal }) => unwrap(api.GET('/accounts/second-factor', { signal })),
});
