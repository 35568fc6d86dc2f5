import type { Api } from '../api.ts';
import type { ListQuery } from '../filter.ts';
import { filterText } from '../filter.ts';
import { arrayListing, cursorListing, pagedListing } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { AuditEntry, CallerId, NewUser, RecordedRequest, StatementEntry, UserRecord } from '../types.ts';

export const accountResource = (api: Api) => ({
  get: (options?: RequestOptions) => api.ask('get', '/accounts', {}, options),
  update: (body: Body<'/accounts', 'patch'>, options?: RequestOptions) =>
    api.ask('patch', '/accounts', { body }, options),
  /** Available credit and the amount on hold for active calls, in reais. */
  balance: (options?: RequestOptions) => api.ask('get', '/accounts/balance', {}, options),
  limits: (options?: RequestOptions) => api.ask('get', '/accounts/limits', {}, options),
});

/** Billing details for charges. */
export const financialResource = (api: Api) => ({
  get: (options?: RequestOptions) => api.ask('get', '/accounts/financial', {}, options),
  create: (body: Body<'/accounts/financial', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/accounts/financial', { body }, options),
  update: (body: Body<'/accounts/financial', 'put'>, options?: RequestOptions) =>
    api.ask('put', '/accounts/financial', { body }, options),
});

/** All balance changes. */
export const statementResource = (api: Api) => ({
  list: pagedListing<StatementEntry>(api, '/accounts/statement'),
  /** Returns one page of the statement as CSV. */
  async csv(
    query: ListQuery<StatementEntry> & { page?: number } = {},
    options?: RequestOptions,
  ): Promise<string> {
    const { page = 1, ...rest } = query;
    const filter = filterText(rest);
    const headers = { accept: 'text/csv' };
    const outgoing = { method: 'GET', path: '/accounts/statement', query: { filter, page }, headers };
    return (await api.send(outgoing, options)).text;
  },
});

export const userResource = (api: Api) => ({
  /** Returns the current user. */
  me: (options?: RequestOptions) => api.ask('get', '/users/me', {}, options),
  /** Returns the current user with account, extension and permissions. */
  context: (options?: RequestOptions) => api.ask('get', '/users/me/context', {}, options),
  list: arrayListing<UserRecord>(api, '/users'),
  create: (body: NewUser, options?: RequestOptions) => api.ask('post', '/users', { body }, options),
  update: (body: Body<'/users', 'patch'>, options?: RequestOptions) =>
    api.ask('patch', '/users', { body }, options),
  remove: (uuid: string, options?: RequestOptions) =>
    api.ask('delete', '/users/{uuid}', { path: { uuid } }, options),
  /** Returns what the user may do while having the role USER; for ADMINs. */
  permissions: (uuid: string, options?: RequestOptions) =>
    api.ask('get', '/users/{uuid}/permissions', { path: { uuid } }, options),
  /** Sets all permissions; they apply from the user's next request. */
  setPermissions: (uuid: string, body: Body<'/users/{uuid}/permissions', 'put'>, options?: RequestOptions) =>
    api.ask('put', '/users/{uuid}/permissions', { path: { uuid }, body }, options),
});

/** Caller IDs of the account. */
export const callerIdResource = (api: Api) => ({
  list: arrayListing<CallerId>(api, '/callerIds'),
  /** Calls the number and speaks a code for `verify`. */
  request: (body: Body<'/callerIds', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/callerIds', { body }, options),
  verify: (id: number | string, code: string, options?: RequestOptions) =>
    api.ask('post', '/callerIds/{id}/verify', { path: { id }, body: { code } }, options),
  remove: (id: number | string, options?: RequestOptions) =>
    api.ask('delete', '/callerIds/{id}', { path: { id } }, options),
});

/** The audit log. */
export const auditResource = (api: Api) => ({
  list: pagedListing<AuditEntry>(api, '/audit'),
});

/** The request log. */
export const requestResource = (api: Api) => ({
  list: cursorListing<RecordedRequest>(api, '/requests'),
});
