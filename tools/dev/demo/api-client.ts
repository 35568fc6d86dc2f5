import { UserError } from '../user-error.ts';

export interface ApiClient {
  get(path: string): Promise<Body>;
  post(path: string, body?: object): Promise<Body>;
  patch(path: string, body: object): Promise<Body>;
  as(token: string): ApiClient;
}

/** A response body; the demo reads only some fields. */
export type Body = Record<string, unknown>;

export function createApiClient(url: string, token?: string): ApiClient {
  const ask = async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new UserError(`${method} ${path} returned ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Body);
  };
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    as: (other) => createApiClient(url, other),
  };
}

const lookEveryMs = 250;

/** Polls until there is a result. */
export async function until<T>(
  what: string,
  seconds: number,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new UserError(`Timed out after ${seconds} s: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
