import type { Api } from '../api.ts';
import { isDiscaError } from '../errors.ts';
import { arrayListing } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { Scope, ServiceTokenRecord, Signup, TokenRecord } from '../types.ts';

/** Sign-up; requires no token. */
export const signupResource = (api: Api) => ({
  /** Returns the accepted values of a sign-up. */
  choices: (options?: RequestOptions) => api.ask('get', '/accounts/signup', {}, options),
  /** Creates an account and e-mails a confirmation link. */
  create: (body: Signup, options?: RequestOptions) =>
    api.ask('post', '/accounts/signup', { body: body as Body<'/accounts/signup', 'post'> }, options),
  /** Sends the confirmation link again. */
  resend: (email: string, options?: RequestOptions) =>
    api.ask('post', '/accounts/signup/resend', { body: { email } }, options),
  /** Opens the e-mailed link. Browsers hide redirects, so there it returns undefined. */
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

/** Login, logout and passwords. */
export const accessResource = (api: Api) => ({
  /** Returns the token in `id`; pass it to `disca.as(token)`. */
  logIn: (body: Body<'/users/login', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/login', { body }, options),
  /** Revokes the token of this client. */
  logOut: (options?: RequestOptions) => api.ask('post', '/users/logout', {}, options),
  /** E-mails a password reset link, if the user exists. */
  forgotPassword: (email: string, options?: RequestOptions) =>
    api.ask('post', '/users/reset', { body: { email } }, options),
  /** Sets a new password with the token of the e-mailed link. */
  resetPassword: (body: Body<'/users/reset-password', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/reset-password', { body }, options),
  changePassword: (body: Body<'/users/change-password', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/users/change-password', { body }, options),
});

interface NewToken {
  name?: string;
  ttl?: number;
  scopes?: Scope[];
  allowedAddresses?: string[];
}

/** Access tokens of the current user. */
export const tokenResource = (api: Api) => ({
  list: arrayListing<TokenRecord>(api, '/users/accessTokens'),
  /** The token is in `id`; it is shown only once. With `scopes`, it may be used only for these. */
  create: (body: NewToken = {}, options?: RequestOptions) =>
    api.ask('post', '/users/accessTokens', { body }, options),
  revoke: (prefix: string, options?: RequestOptions) =>
    api.ask('delete', '/users/accessTokens/{prefix}', { path: { prefix } }, options),
  /** Returns whether the token of this client is valid. */
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

/** Tokens that belong to the account instead of a user; for ADMINs. */
export const serviceTokenResource = (api: Api) => ({
  list: arrayListing<ServiceTokenRecord>(api, '/accounts/accessTokens'),
  /** The token is in `id`; it is shown only once. It acts as ADMIN within its scopes. */
  create: (body: NewToken & { name: string; scopes: Scope[] }, options?: RequestOptions) =>
    api.ask('post', '/accounts/accessTokens', { body }, options),
  revoke: (prefix: string, options?: RequestOptions) =>
    api.ask('delete', '/accounts/accessTokens/{prefix}', { path: { prefix } }, options),
});
