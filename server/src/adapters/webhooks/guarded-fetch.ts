import { callableAddresses } from '../../platform/network.ts';
import { Failure, failureFrom } from './failure.ts';
import { createPools, type Pools } from './pools.ts';
import { createResolve } from './resolve.ts';
import { hasNotConnected, targetOf } from './target.ts';

export interface GuardedFetchOptions {
  /** Non-public networks that requests may be sent to. */
  allowedNetworks: string[];
  nameServers?: string[] | undefined;
  certificateAuthority?: string | undefined;
  /** Total time limit of a request: DNS, connection, request and response. */
  timeoutMs?: number;
  /** A longer response is refused. */
  maxBytes?: number;
}

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface GuardedFetch {
  /** Throws a `Failure` for everything but a complete response. Redirects are not followed. */
  fetch(url: URL, request: FetchRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Sends requests over HTTPS to servers that customers chose, under the same rules of addresses as webhooks. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs = 10_000, maxBytes = 512 * 1024 } = options;
  const resolve = createResolve({
    mayCall: callableAddresses(options.allowedNetworks),
    nameServers: options.nameServers,
    timeoutMs,
    cacheMs: 2_000,
  });
  const pools = createPools({
    // Leaves time for a second address if the first does not respond.
    timeoutMs: timeoutMs / 2,
    certificateAuthority: options.certificateAuthority,
    idleMs: 4_000,
    maxIdle: 200,
  });
  return {
    async fetch(url, request) {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        return await send({ resolve, pools, maxBytes }, url, request, deadline);
      } catch (error) {
        if (deadline.aborted)
          throw new Failure('timeout', `No complete response within ${timeoutMs / 1000} s.`);
        throw failureFrom(error);
      }
    },
    close: () => pools.close(),
  };
}

interface Tools {
  resolve(url: URL): Promise<string[]>;
  pools: Pools;
  maxBytes: number;
}

async function send(tools: Tools, url: URL, request: FetchRequest, signal: AbortSignal): Promise<Response> {
  if (url.protocol !== 'https:') throw new Failure('forbidden_address', 'The URL must begin with https://.');
  const addresses = await tools.resolve(url);
  for (const [index, address] of addresses.entries()) {
    try {
      return await sendTo(tools, url, address, request, signal);
    } catch (error) {
      const isLast = index === addresses.length - 1;
      if (isLast || signal.aborted || !hasNotConnected(error)) throw error;
    }
  }
  throw new Failure('dns_failed', 'The host has no address.');
}

const sendTo = (
  { pools, maxBytes }: Tools,
  url: URL,
  address: string,
  { method, headers, body }: FetchRequest,
  signal: AbortSignal,
): Promise<Response> =>
  pools.use(targetOf(url, address), async (pool) => {
    const path = `${url.pathname}${url.search}`;
    const answer = await pool.request({
      method: method === 'POST' ? 'POST' : 'GET',
      path,
      headers,
      body: body ?? null,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Failure('connection_lost', 'The response is too long.');
      chunks.push(chunk);
    }
    const hasBody = ![204, 205, 304].includes(answer.statusCode);
    return new Response(hasBody ? Buffer.concat(chunks) : null, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      ),
    });
  });
