import type { Api } from '../api.ts';
import { isDiscaError } from '../errors.ts';
import type { ListQuery } from '../filter.ts';
import { arrayList, type List } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { Signup, TokenRecord } from '../types.ts';

/** Signing up, which needs no token. */
export const signupResource = (api: Api) => ({
  /** What a signup may say. */
  choices: (options?: RequestOptions) => api.ask('get', '/accounts/signup', {}, options),
  /** Makes an account, of which a link is mailed to confirm it. */
  create: (body: Signup, options?: RequestOptions) =>
    api.ask('post', '/accounts/signup', { body: body as Body<'/accounts/signup', 'post'> }, options),
  /** Mails the link again. */
  resend: (email: string, options?: RequestOptions) =>
    api.ask('post', '/accounts/signup/resend', { body: { email } }, options),
  /** Follows the mailed link. Browsers hide where it leads, so there this answers undefined. */
  async confirm(
    token: string,
    options?: RequestOptions,
  ): Promise<'confirmed' | 'expired' | 'invalid' | undefined> {
    const { response } = await api.send(
      { method: 'GET', path: '/accounts/confirm', query: { token } },
      options,
    );
    const location = response.headers.get('location');
    const outcome = location && new URL(location, 'http://localhost').searchParams.get('confirmation');
    return (outcome ?? undefined) as 'confirmed' | 'expired' | 'invalid' | undefined;
  },
});

/** Logging in and out, and passwords. */
export const accessResource = (api: Api) => ({
  /** Answers the token in `id`; give it to `disca.as(token)`. */
  logIn: (body: Body<'/users/login', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/login', { body }, options),
  /** Ends the token of this client. */
  logOut: (options?: RequestOptions) => api.ask('post', '/users/logout', {}, options),
  /** Mails a link to set a new password, if there is such a user. */
  forgotPassword: (email: string, options?: RequestOptions) =>
    api.ask('post', '/users/reset', { body: { email } }, options),
  /** Sets a new password with the token of the mailed link. */
  resetPassword: (body: Body<'/users/reset-password', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/reset-password', { body }, options),
  changePassword: (body: Body<'/users/change-password', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/change-password', { body }, options),
});

/** Access tokens of the user whose token is used. */
export const tokenResource = (api: Api) => ({
  list: <Field extends keyof TokenRecord = keyof TokenRecord>(
    query?: ListQuery<TokenRecord, Field>,
    options?: RequestOptions,
  ): List<Pick<TokenRecord, Field>> => arrayList(api, '/users/accessTokens', query, options),
  /** The token is in `id`, and is never shown again. */
  create: (body: { name?: string; ttl?: number } = {}, options?: RequestOptions) =>
    api.ask('post', '/users/accessTokens', { body }, options),
  revoke: (prefix: string, options?: RequestOptions) =>
    api.ask('delete', '/users/accessTokens/{prefix}', { path: { prefix } }, options),
  /** Whether the token of this client is good. */
  async isValid(options?: RequestOptions): Promise<boolean> {
    try {
      await api.ask('head', '/users/accessTokens', {}, options);
      return true;
    } catch (error) {
      if (isDiscaError(error, 'NOT_FOUND')) return false;
      throw error;
    }
  },
});
