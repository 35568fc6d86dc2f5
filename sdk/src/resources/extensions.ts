import type { Api } from '../api.ts';
import { arrayListing } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { ExtensionRecord, NewExtension } from '../types.ts';

type Id = number | string;

/** Extensions: softphones register as them, and calls are placed from them. */
export const extensionResource = (api: Api) => ({
  list: arrayListing<ExtensionRecord>(api, '/extensions'),
  get: (id: Id, options?: RequestOptions) => api.ask('get', '/extensions/{id}', { path: { id } }, options),
  create: (body: NewExtension, options?: RequestOptions) => api.ask('post', '/extensions', { body }, options),
  update: (body: Body<'/extensions', 'patch'>, options?: RequestOptions) =>
    api.ask('patch', '/extensions', { body }, options),
  remove: (id: Id, options?: RequestOptions) =>
    api.ask('delete', '/extensions/{id}', { path: { id } }, options),
  /** Returns the SIP password, and records it in the audit log. */
  reveal: (id: Id, options?: RequestOptions) =>
    api.ask('post', '/extensions/{id}/reveal', { path: { id } }, options),
  /** Returns the lowest free number. */
  nextAvailable: (options?: RequestOptions) => api.ask('get', '/extensions/next-available', {}, options),
  /** Creates an extension with the lowest free number. */
  createNext: (body: Body<'/extensions/next-available', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/extensions/next-available', { body }, options),
  /** Creates all of them or, if one is invalid, none. */
  createMany: (extensions: Body<'/extensions/bulk', 'post'>['extensions'], options?: RequestOptions) =>
    api.ask('post', '/extensions/bulk', { body: { extensions } }, options),
  /** Returns temporary registration credentials for a browser phone. */
  openPhoneSession: (id: Id, options?: RequestOptions) =>
    api.ask('post', '/extensions/{id}/phone-sessions', { path: { id } }, options),
  endPhoneSession: (id: Id, sessionId: string, options?: RequestOptions) =>
    api.ask('delete', '/extensions/{id}/phone-sessions/{sessionId}', { path: { id, sessionId } }, options),
});
