import type { Api } from '../api.ts';
import { type LoggedEvent, type StreamOptions, streamEvents } from '../event-stream.ts';
import type { Parameters } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';

const largestPage = 500;

/** The event log. */
export const eventResource = (api: Api) => ({
  /** Yields events as they happen, without an end: `break` out of the loop, or abort its signal. */
  stream: (options: StreamOptions = {}) => streamEvents(api, options),
  /** Yields the events after a number, in order, up to the end of the log. */
  list: (query: { after?: number; pageSize?: number } = {}, options?: RequestOptions) =>
    readLog(api, query, options),
  /** Returns one page of the log; with `wait` an empty response is delayed until there are events. */
  page: (query: Parameters<'/events', 'get', 'query'> = {}, options?: RequestOptions) =>
    api.ask('get', '/events', { query }, options),
  /** Compares calls, events, deliveries and ledger entries. */
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
    // A USER may see no events in a range; the end of the log is reached when the number no longer advances.
    if (meta.nextAfter === position) return;
    position = meta.nextAfter;
  }
}
