import { request } from 'node:https';

/** A browser's cookies at the provider. */
export type ProviderCookies = Map<string, string>;

/**
 * Follows the redirects of the provider, as a browser does, and logs in as a user where it asks. Returns the query of the
 * callback.
 */
export async function visitProvider(
  url: string,
  user: string,
  cookies: ProviderCookies = new Map(),
): Promise<string> {
  const { origin } = new URL(url);
  let next: { url: string; body?: string } = { url };
  for (let step = 0; step < 10; step += 1) {
    const { status, location } = await send(next, cookies);
    if (location === undefined) {
      if (status !== 200) throw new Error(`The provider responded ${status} to ${next.url}.`);
      next = { url: next.url, body: new URLSearchParams({ user }).toString() };
      continue;
    }
    const target = new URL(location, origin);
    if (target.origin !== origin) return target.search.slice(1);
    next = { url: target.href };
  }
  throw new Error('The provider redirects too often.');
}

const send = (
  { url, body }: { url: string; body?: string },
  cookies: ProviderCookies,
): Promise<{ status: number; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) };
    // The certificate is that of the test.
    const sent = request(
      url,
      { method: body ? 'POST' : 'GET', headers, rejectUnauthorized: false },
      (answer) => {
        for (const each of answer.headers['set-cookie'] ?? []) {
          const [pair = ''] = each.split(';');
          const at = pair.indexOf('=');
          cookies.set(pair.slice(0, at), pair.slice(at + 1));
        }
        answer.resume();
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
