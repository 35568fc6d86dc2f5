import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap, unwrapWithHeaders } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type User = Answer<'/users', 'patch'>;
export type Token = Required<Answer<'/users/accessTokens'>[number]>;
export type ServiceToken = Required<Answer<'/accounts/accessTokens'>[number]>;
export type IssuedToken = Answer<'/users/accessTokens', 'post'>;
export type Permissions = Answer<'/users/{uuid}/permissions'>;
export type NewInvitation = paths['/users/invitations']['post']['requestBody']['content']['application/json'];
export type Invitation = Answer<'/users/invitations', 'post'>;

/** All users, up to the API's page limit of 1,000. */
export const usersQuery = queryOptions({
  queryKey: ['people', 'users'],
  queryFn: async ({ signal }) => {
    const filter = '{"order":"name ASC","limit":1000}';
    const { data, headers } = await unwrapWithHeaders(
      api.GET('/users', { params: { query: { filter } }, signal }),
    );
    // Without a field selection the response contains all fields.
    return { users: data as User[], total: Number(headers.get('X-Total-Count') ?? data.length) };
  },
});

/** Invitations that were not accepted. */
export const invitationsQuery = queryOptions({
  queryKey: ['people', 'invitations'],
  queryFn: async ({ signal }) =>
    (await unwrap(
      api.GET('/users/invitations', { params: { query: { filter: '{"limit":1000}' } }, signal }),
    )) as Invitation[],
});

/** What a user may do while not an administrator. */
export const permissionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['people', 'permissions', uuid],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/users/{uuid}/permissions', { params: { path: { uuid } }, signal })),
  });

/** The user's own tokens, at most 50. */
export const tokensQuery = queryOptions({
  queryKey: ['people', 'tokens'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/users/accessTokens', { signal }))) as Token[],
});

/** The service tokens of the account, for ADMINs. */
export const serviceTokensQuery = queryOptions({
  queryKey: ['people', 'service-tokens'],
  queryFn: async ({ signal }) =>
    (await unwrap(
      api.GET('/accounts/accessTokens', { params: { query: { filter: '{"limit":1000}' } }, signal }),
    )) as ServiceToken[],
});
