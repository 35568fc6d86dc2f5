import { type Api, fill } from '../api.ts';
import { filterText, type ListQuery } from '../filter.ts';
import { cursorList, type List, pagedList } from '../list.ts';
import type { Answer, Body, Parameters } from '../operation-types.ts';
import { pause } from '../pause.ts';
import type { RequestOptions } from '../transport.ts';
import type { Call, CallRecord, NewCall, RecordingAccess } from '../types.ts';

/** Aliases in filters: `date` is `started_at`, `phone` is `to` and `extension` is `from`. */
type Filterable = Omit<CallRecord, 'tags'> & {
  date?: string;
  phone?: string;
  extension?: string;
  /** Compared with each tag. */
  tags?: string;
};
type CallField = keyof CallRecord;
export type CallQuery<Field extends CallField = CallField> = ListQuery<
  Filterable,
  Field,
  'price' | 'timeline'
>;

/** Words to search for: each must begin a word of the call. */
interface Searched {
  q?: string | undefined;
}

type Download = Pick<RequestOptions, 'signal' | 'timeoutMs'>;

const firstLookMs = 500;
const longestLookMs = 2_000;

export const callResource = (api: Api) => ({
  /** Rings the extension and then the destination. Returns before the call is answered. */
  place: (body: NewCall, options?: RequestOptions) =>
    api.ask('post', '/calls', { body }, options, { isKeyed: true }),
  get: (id: string, options?: RequestOptions) => api.ask('get', '/calls/{id}', { path: { id } }, options),
  /** Lists calls, newest first. */
  list: <Field extends CallField = CallField>(
    query?: CallQuery<Field>,
    options?: RequestOptions,
  ): List<Pick<CallRecord, Field>> => pagedList(api, '/calls', query, options),
  /**
   * Finds calls by words of names, e-mail addresses, numbers and metadata values (`q`), or like `list` for bulk
   * processing: up to 500 per page, without a total.
   */
  search: <Field extends CallField = CallField>(
    { q, ...query }: Searched & ListQuery<Filterable, Field> = {},
    options?: RequestOptions,
  ): List<Pick<CallRecord, Field>> => cursorList(api, '/calls/search', query, options, { q }),
  /** Exports all matching calls as CSV. Read `body`, or use `text()`; `timeoutMs` counts until the first byte. */
  export: (
    { q, ...query }: Searched & ListQuery<Filterable, CallField> & { limit?: number } = {},
    options?: Download,
  ): Promise<Response> =>
    api.open(
      { method: 'GET', path: '/calls/export', query: { q, filter: filterText(query) }, headers: csv },
      options,
    ),
  hangUp: (id: string, options?: RequestOptions) =>
    api.ask('post', '/calls/{id}/hangup', { path: { id } }, options, { isRepeatable: true }),
  /** Returns the price and its explanation. */
  price: (id: string, options?: RequestOptions) =>
    api.ask('get', '/calls/{id}/price', { path: { id } }, options),
  summary: (query: Parameters<'/calls/summary', 'get', 'query'> = {}, options?: RequestOptions) =>
    api.ask('get', '/calls/summary', { query }, options),
  /** Lists the webhook deliveries of a call. */
  deliveries: (id: string, options?: RequestOptions) =>
    api.ask('get', '/calls/{id}/deliveries', { path: { id } }, options),
  /** Lists the accesses to a call's recording. */
  recordingAccesses: (id: string, query?: ListQuery<RecordingAccess>, options?: RequestOptions) =>
    pagedList<RecordingAccess>(api, fill('/calls/{id}/recording/accesses', { id }), query, options),
  /** Yields the call now and after each status change, until it has ended. */
  follow: (id: string, options?: RequestOptions) => follow(api, id, options),
  /** @deprecated Use `place`. */
  dial: (body: Body<'/dialer', 'post'>, options?: RequestOptions): Promise<Answer<'/dialer', 'post'>> =>
    api.ask('post', '/dialer', { body }, options, { isKeyed: true }),
});

const csv = { accept: 'text/csv' };

/** Always ends, because calls last a few hours at most. */
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

/** Recordings, by the signed URL in `record_url`. */
export const recordingResource = (api: Api) => ({
  /** Returns the audio as WAV, or a byte range of it, such as `bytes=0-1023`. */
  open: (recordUrl: string, options: Download & { range?: string } = {}): Promise<Response> =>
    api.open({ method: 'GET', ...toApiRequest(recordUrl), headers: audio(options.range) }, options),
  /** Returns only the headers of the recording, such as Content-Length. */
  head: (recordUrl: string, options?: Download): Promise<Response> =>
    api.open({ method: 'HEAD', ...toApiRequest(recordUrl), headers: audio() }, options),
});

const audio = (range?: string): Record<string, string> => ({
  accept: 'audio/wav',
  ...(range === undefined ? {} : { range }),
});

/** Requests the path of the URL at `baseUrl`, ignoring its host, which may be meant for external clients. */
function toApiRequest(recordUrl: string): { path: string; query: Record<string, string> } {
  const { pathname, searchParams } = new URL(recordUrl);
  return { path: pathname.replace(/^.*\/api\/v1/, ''), query: Object.fromEntries(searchParams) };
}
