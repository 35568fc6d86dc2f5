import type { Api } from '../api.ts';
import { pagedListing } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { ChargeRecord, NewCharge } from '../types.ts';

type Id = number | string;

export const rateResource = (api: Api) => ({
  /** Returns the price of a call to a number. */
  quote: (to: string, options?: RequestOptions) => api.ask('get', '/rates/quote', { query: { to } }, options),
});

/** Charges, to top up credit. */
export const chargeResource = (api: Api) => ({
  create: (body: NewCharge, options?: RequestOptions) =>
    api.ask('post', '/charges', { body }, options, { isKeyed: true }),
  list: pagedListing<ChargeRecord>(api, '/charges'),
  get: (id: Id, options?: RequestOptions) => api.ask('get', '/charges/{id}', { path: { id } }, options),
  /** Returns the Pix code and its QR image. */
  pix: (id: Id, options?: RequestOptions) => api.ask('get', '/charges/{id}/pix', { path: { id } }, options),
  cancel: (id: Id, options?: RequestOptions) =>
    api.ask('patch', '/charges/{id}/cancel', { path: { id } }, options),
});

/** Simulated payments of test accounts. */
export const sandboxResource = (api: Api) => ({
  pay: (id: Id, body: Body<'/sandbox/charges/{id}/pay', 'post'> = {}, options?: RequestOptions) =>
    api.ask('post', '/sandbox/charges/{id}/pay', { path: { id }, body }, options),
  refund: (id: Id, body: Body<'/sandbox/charges/{id}/refund', 'post'> = {}, options?: RequestOptions) =>
    api.ask('post', '/sandbox/charges/{id}/refund', { path: { id }, body }, options),
  /** Sets the available credit, in reais, for example to test without credit. */
  setCredit: (available: number, options?: RequestOptions) =>
    api.ask('post', '/sandbox/credit', { body: { available } }, options, { isRepeatable: true }),
});
