import createClient from 'openapi-fetch';
import { apiPath, consoleHeaders, fetchOrTake } from './early.ts';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

export { apiPath, consoleHeaders } from './early.ts';

/** API client typed by the OpenAPI document. Call it through `ask`. */
export const api = createClient<paths>({ baseUrl: apiPath, headers: consoleHeaders, fetch: fetchOrTake });

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the response data. Throws a Problem for error responses and network failures. */
export async function ask<Data>(asked: Promise<Answered<Data>>): Promise<Exclude<Data, undefined>> {
  const { data } = await askWhole(asked);
  return data as Exclude<Data, undefined>;
}

/** Returns the data and the response headers, such as X-Total-Count. */
export async function askWhole<Data>(
  asked: Promise<Answered<Data>>,
): Promise<{ data: Data; headers: Headers }> {
  let answered: Answered<Data>;
  try {
    answered = await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
  if (!answered.response.ok) throw await problemOf(answered.response, answered.error);
  return { data: answered.data as Data, headers: answered.response.headers };
}
