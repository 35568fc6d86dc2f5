import { type Api, fill } from '../api.ts';
import { filterText, type ListQuery } from '../filter.ts';
import { cursorList, type List, pagedList } from '../list.ts';
import type { Answer, Body, Parameters } from '../operation-types.ts';
import { pause } from '../pause.ts';
import type { RequestOptions } from '../transport.ts';
import type { Call, CallRecord, NewCall, RecordingAccess } from '../types.ts';

/** Other names that a filter understands: `date` is `started_at`, `phone` is `to` and `extension` is `from`. */
type Filterable = CallRecord & { date?: string; phone?: string; extension?: string };
type CallField = keyof CallRecord;
export type CallQuery<Field extends CallField = CallField> = ListQuery<
  Filterable,
  Field,
  'price' | 'timeline'
>;

type Download = Pick<RequestOptions, 'signal' | 'timeoutMs'>;

const firstLookMs = 500;
const longestLookMs = 2_000;

export const callResource = (api: Api) => ({
  /** Rings the extension and then the destination. Answers before anybody has picked up. */
  place: (body: NewCall, options?: RequestOptions) =>
    api.ask('post', '/calls', { body }, options, { isKeyed: true }),
  get: (id: string, options?: RequestOptions) => api.ask('get', '/calls/{id}', { path: { id } }, options),
  /** Newest first. */
  list: <Field extends CallField = CallField>(
    query?: CallQuery<Field>,
    options?: RequestOptions,
  ): List<Pick<CallRecord, Field>> => pagedList(api, '/calls', query, options),
  /** The same for bulk work: up to 500 a page, without a total. */
  search: <Field extends CallField = CallField>(
    query?: ListQuery<Filterable, Field>,
    options?: RequestOptions,
  ): List<Pick<CallRecord, Field>> => cursorList(api, '/calls/search', query, options),
  /** All calls of a filter as CSV. Read `body`, or take `text()`; `timeoutMs` counts until the first byte. */
  export: (
    query: ListQuery<Filterable, CallField> & { limit?: number } = {},
    options?: Download,
  ): Promise<Response> =>
    api.open(
      { method: 'GET', path: '/calls/export', query: { filter: filterText(query) }, headers: csv },
      options,
    ),
  hangUp: (id: string, options?: RequestOptions) =>
    api.ask('post', '/calls/{id}/hangup', { path: { id } }, options, { isRepeatable: true }),
  /** What it costs, and why. */
  price: (id: string, options?: RequestOptions) =>
    api.ask('get', '/calls/{id}/price', { path: { id } }, options),
  summary: (query: Parameters<'/calls/summary', 'get', 'query'> = {}, options?: RequestOptions) =>
    api.ask('get', '/calls/summary', { query }, options),
  /** What integrations were told of it. */
  deliveries: (id: string, options?: RequestOptions) =>
    api.ask('get', '/calls/{id}/deliveries', { path: { id } }, options),
  /** Who listened to its recording. */
  recordingAccesses: (id: string, query?: ListQuery<RecordingAccess>, options?: RequestOptions) =>
    pagedList<RecordingAccess>(api, fill('/calls/{id}/recording/accesses', { id }), query, options),
  /** The call as it is now and each time that its status has changed, until it has ended. */
  follow: (id: string, options?: RequestOptions) => follow(api, id, options),
  /** @deprecated Use `place`. */
  dial: (body: Body<'/dialer', 'post'>, options?: RequestOptions): Promise<Answer<'/dialer', 'post'>> =>
    api.ask('post', '/dialer', { body }, options, { isKeyed: true }),
});

const csv = { accept: 'text/csv' };

/** A call lasts for hours at most, so this ends. */
async function* follow(
  api: Api,
  id: string,
  options?: RequestOptions,
): AsyncGenerator<Call, void, undefined> {
  let last: string | undefined;
  for (let waitMs = firstLookMs; ; waitMs = Math.min(longestLookMs, waitMs * 1.5)) {
    const call = await api.ask('get', '/calls/{id}', { path: { id } }, options);
    if (call.status !== last) yield call;
    if (call.status === 'ended') return;
    last = call.status;
    await pause(waitMs, options?.signal);
  }
}

/** Recordings, by the signed link in `record_url`. */
export const recordingResource = (api: Api) => ({
  /** The audio as WAV, or the part of it that `range` names, such as `bytes=0-1023`. */
  open: (recordUrl: string, options: Download & { range?: string } = {}): Promise<Response> =>
    api.open({ method: 'GET', ...placeOf(recordUrl), headers: audio(options.range) }, options),
  /** Its headers alone, such as Content-Length. */
  head: (recordUrl: string, options?: Download): Promise<Response> =>
    api.open({ method: 'HEAD', ...placeOf(recordUrl), headers: audio() }, options),
});

const audio = (range?: string): Record<string, string> => ({
  accept: 'audio/wav',
  ...(range === undefined ? {} : { range }),
});

/** The link is asked for at our own address, whatever its host: it may be told for people outside. */
function placeOf(recordUrl: string): { path: string; query: Record<string, string> } {
  const { pathname, searchParams } = new URL(recordUrl);
  return { path: pathname.replace(/^.*\/api\/v1/, ''), query: Object.fromEntries(searchParams) };
}
