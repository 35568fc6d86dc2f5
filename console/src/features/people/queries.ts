import { queryOptions } from '@tanstack/react-query';
import { api, ask, askWhole } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.js';

export type User = paths['/users']['patch']['responses'][200]['content']['application/json'];
export type Token = Required<
  paths['/users/accessTokens']['get']['responses'][200]['content']['application/json'][number]
>;
export type IssuedToken =
  paths['/users/accessTokens']['post']['responses'][200]['content']['application/json'];
export type NewUser = paths['/users']['post']['requestBody']['content']['application/json'];

/** All users, as far as the API gives them in one answer: 1,000. */
export const usersQuery = queryOptions({
  queryKey: ['people', 'users'],
  queryFn: async ({ signal }) => {
    const filter = '{"order":"name ASC","limit":1000}';
    const { data, headers } = await askWhole(api.GET('/users', { params: { query: { filter } }, signal }));
    // No fields were chosen, so that all of them are there.
    return { users: data as User[], total: Number(headers.get('X-Total-Count') ?? data.length) };
  },
});

/** One's own, of which there are 50 at most. */
export const tokensQuery = queryOptions({
  queryKey: ['people', 'tokens'],
  queryFn: async ({ signal }) => (await ask(api.GET('/users/accessTokens', { signal }))) as Token[],
});
