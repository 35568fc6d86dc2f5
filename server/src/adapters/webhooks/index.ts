import { faultOfWebhookUrl } from '../../contexts/integrations/index.ts';
import type { Outcome, SendResult, WebhookRequest, WebhookSender } from '../../contexts/webhooks/index.ts';
import { memoize } from '../../platform/memoize.ts';
import { callableAddresses } from '../../platform/network.ts';
import { createDeadlines, type Expiring } from './deadlines.ts';
import { exchange, type Progress } from './exchange.ts';
import { Failure, failureFrom } from './failure.ts';
import { createPools, type Pools } from './pools.ts';
import { createResolve } from './resolve.ts';
import { hasNotConnected, targetOf } from './target.ts';

export { Failure } from './failure.ts';
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';

export interface WebhookSenderOptions {
  /** Non-public networks that webhooks may be sent to. */
  allowedNetworks: string[];
  /** Total time limit: DNS, connection, request and response. */
  timeoutMs?: number;
  /** Maximum bytes of a response that are read. */
  bodyBytes?: number;
  nameServers?: string[];
  nameCacheMs?: number;
  certificateAuthority?: string;
}

/** Sends webhooks to customers' servers, only at public or allowed addresses. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { timeoutMs = 15_000, bodyBytes = 64 * 1024 } = options;
  const resolve = createResolve({
    mayCall: callableAddresses(options.allowedNetworks),
    nameServers: options.nameServers,
    timeoutMs,
    cacheMs: options.nameCacheMs ?? 2_000,
  });
  const pools = createPools({
    // Leaves time for a second address if the first does not respond.
    timeoutMs: timeoutMs / 2,
    certificateAuthority: options.certificateAuthority,
    idleMs: 4_000,
    maxIdle: 2_000,
  });
  const deadlines = createDeadlines(timeoutMs);
  const tools = { resolve, pools, bodyBytes };
  return {
    send: (request) =>
      new Promise((settle) => {
        const startedMs = performance.now();
        const finish = (judged: Judged): void => {
          if (attempt.isOver) return;
          attempt.isOver = true;
          deadlines.remove(attempt);
          settle({ ...judged, durationMs: Math.round(performance.now() - startedMs) });
        };
        const attempt: Progress & Expiring = {
          startedMs,
          address: null,
          status: null,
          isOver: false,
          cancel: undefined,
          expire() {
            const failure = new Failure('timeout', timeoutDetail(attempt, timeoutMs));
            finish(failed(failure, attempt));
            attempt.cancel?.(failure);
          },
        };
        deadlines.add(attempt);
        post(tools, request, attempt).then(finish, (error: unknown) =>
          finish(failed(failureFrom(error), attempt)),
        );
      }),
    close: () => pools.close(),
  };
}

type Judged = Omit<SendResult, 'durationMs'>;

interface Tools {
  resolve(url: URL): Promise<string[]>;
  pools: Pools;
  bodyBytes: number;
}

const failed = ({ outcome, message }: Failure, { address, status }: Progress): Judged => ({
  outcome,
  status,
  detail: message,
  address,
  responseBody: null,
});

function timeoutDetail({ address, status }: Progress, timeoutMs: number): string {
  const within = `within ${timeoutMs / 1000} s`;
  if (address === null) return `The host name was not resolved ${within}.`;
  return status === null ? `No response ${within}.` : `The response was not complete ${within}.`;
}

async function post(tools: Tools, request: WebhookRequest, progress: Progress): Promise<Judged> {
  const { url, fault } = parseUrl(request.url);
  if (!url || fault !== undefined) throw new Failure('forbidden_address', `The URL ${fault}.`);
  const addresses = await tools.resolve(url);
  for (const [index, address] of addresses.entries()) {
    // The host name may have been resolved after the deadline.
    if (progress.isOver) break;
    progress.address = address;
    try {
      return await postTo(tools, url, address, request, progress);
    } catch (error) {
      const isLast = index === addresses.length - 1;
      if (isLast || !hasNotConnected(error)) throw error;
    }
  }
  throw new Failure('dns_failed', 'The host has no address.');
}

const parseUrl = memoize(10_000, (text): { url: URL | undefined; fault: string | undefined } => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return { url, fault: url ? faultOfWebhookUrl(url) : 'is not valid' };
});

async function postTo(
  { pools, bodyBytes }: Tools,
  url: URL,
  address: string,
  request: WebhookRequest,
  progress: Progress,
): Promise<Judged> {
  const path = `${url.pathname}${url.search}`;
  const { status, excerpt } = await pools.use(targetOf(url, address), (pool) =>
    exchange(pool, path, request, progress, bodyBytes),
  );
  return { outcome: outcomeOf(status), status, detail: detailOf(status), address, responseBody: excerpt };
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered';
  return status === 410 ? 'gone' : 'bad_status';
}

function detailOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The server responded ${status}; redirects are not followed.`;
  return `The server responded ${status}.`;
}
