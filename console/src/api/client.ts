import createClient from 'openapi-fetch';
import { apiPath, consoleHeaders, fetchOrTake } from './early.ts';
import type { paths } from './generated/schema.js';
import { problemOf, unreachable } from './problem.ts';

export { apiPath, consoleHeaders } from './early.ts';

/** The API, typed by its own description. Use it through `ask`. */
export const api = createClient<paths>({ baseUrl: apiPath, headers: consoleHeaders, fetch: fetchOrTake });

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of an answer; throws a Problem for a refusal, and for no answer. */
export async function ask<Data>(asked: Promise<Answered<Data>>): Promise<Exclude<Data, undefined>> {
  const { data } = await askWhole(asked);
  return data as Exclude<Data, undefined>;
}

/** The data together with the headers, such as X-Total-Count. */
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
