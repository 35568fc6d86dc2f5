import type { Api } from '../api.ts';
import { type LoggedEvent, type StreamOptions, streamEvents } from '../event-stream.ts';
import type { Parameters } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';

const largestPage = 500;

/** The log of everything that happened. */
export const eventResource = (api: Api) => ({
  /** Events as they happen, without an end: `break` out of the loop, or abort its signal. */
  stream: (options: StreamOptions = {}) => streamEvents(api, options),
  /** What is in the log after a number, in order, up to its end. */
  list: (query: { after?: number; pageSize?: number } = {}, options?: RequestOptions) =>
    readLog(api, query, options),
  /** One page of the log; with `wait` an empty answer is held back until something comes. */
  page: (query: Parameters<'/events', 'get', 'query'> = {}, options?: RequestOptions) =>
    api.ask('get', '/events', { query }, options),
  /** Counts calls, events, deliveries and money against each other. */
  reconcile: (query: Parameters<'/events/reconcile', 'get', 'query'> = {}, options?: RequestOptions) =>
    api.ask('get', '/events/reconcile', { query }, options),
});

async function* readLog(
  api: Api,
  { after = 0, pageSize = largestPage }: { after?: number; pageSize?: number },
  options?: RequestOptions,
): AsyncGenerator<LoggedEvent, void, undefined> {
  for (let position = after; ; ) {
    const query = { after: position, limit: pageSize };
    const { data, meta } = await api.ask('get', '/events', { query }, options);
    yield* data as unknown as LoggedEvent[];
    // A USER may be shown nothing of a stretch; the log is over when its number no longer moves.
    if (meta.nextAfter === position) return;
    position = meta.nextAfter;
  }
}
