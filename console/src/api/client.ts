import createClient from 'openapi-fetch';
import { apiPath, consoleHeaders } from './early.ts';
import { readProblem, unreachable } from './problem.ts';
import { fetchWithProof } from './proof.ts';
import type { paths } from './schema.ts';

export { apiPath, consoleHeaders } from './early.ts';

/** API client typed by the OpenAPI document. Call it through `unwrap`. */
export const api = createClient<paths>({ baseUrl: apiPath, headers: consoleHeaders, fetch: fetchWithProof });

/** The body of a successful response. */
export type Answer<Path extends keyof paths, Method extends string = 'get'> = paths[Path] extends {
  [method in Method]: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

interface ApiResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the response data. Throws a Problem for error responses and network failures. */
export async function unwrap<Data>(call: Promise<ApiResult<Data>>): Promise<Exclude<Data, undefined>> {
  const { data } = await unwrapWithHeaders(call);
  return data as Exclude<Data, undefined>;
}

/** Returns the data and the response headers, such as X-Total-Count. */
export async function unwrapWithHeaders<Data>(
  call: Promise<ApiResult<Data>>,
): Promise<{ data: Data; headers: Headers }> {
  let result: ApiResult<Data>;
  try {
    result = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
  if (!result.response.ok) throw await readProblem(result.response, result.error);
  return { data: result.data as Data, headers: result.response.headers };
}
