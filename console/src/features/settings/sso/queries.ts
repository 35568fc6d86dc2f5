import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../../api/client.ts';

export type SsoSettings = Answer<'/accounts/sso'>;
export type SsoDomain = SsoSettings['domains'][number];

export const ssoQuery = queryOptions({
  queryKey: ['sso'],
  queryFn: ({ signal }) => unwrap(api.GET('/accounts/sso', { signal })),
});
