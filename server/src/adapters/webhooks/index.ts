import { faultOfWebhookUrl } from '../../contexts/integrations/index.ts';
import type { Outcome, SendResult, WebhookRequest, WebhookSender } from '../../contexts/webhooks/index.ts';
import { callableAddresses } from '../../platform/network.ts';
import type { Target } from './connect.ts';
import { Failure, failureFrom } from './failure.ts';
import { createPools, type Pools } from './pools.ts';
import { readAnswer } from './read-answer.ts';
import { createResolve } from './resolve.ts';

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
  return {
    async send(request) {
      const startedMs = performance.now();
      const progress: Progress = { address: null, status: null, over: new AbortController() };
      const work = post({ resolve, pools, bodyBytes }, request, progress);
      const result = await withDeadline(work, progress, timeoutMs);
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    close: () => pools.close(),
  };
}

/** The progress of a request, for reporting timeouts. */
interface Progress {
  address: string | null;
  status: number | null;
  /** Aborted at the deadline: nothing new is started and running work is cancelled. */
  over: AbortController;
}

type Judged = Omit<SendResult, 'durationMs'>;

interface Tools {
  resolve(url: URL): Promise<string[]>;
  pools: Pools;
  bodyBytes: number;
}

async function withDeadline(work: Promise<Judged>, progress: Progress, timeoutMs: number): Promise<Judged> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Failure('timeout', timeoutDetail(progress, timeoutMs))), timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } catch (error) {
    const failure = failureFrom(error);
    progress.over.abort(failure);
    const { outcome, message } = failure;
    const { address, status } = progress;
    return { outcome, status, detail: message, address, responseBody: null };
  } finally {
    clearTimeout(timer);
  }
}

function timeoutDetail({ address, status }: Progress, timeoutMs: number): string {
  const within = `within ${timeoutMs / 1000} s`;
  if (address === null) return `The host name was not resolved ${within}.`;
  return status === null ? `No response ${within}.` : `The response was not complete ${within}.`;
}

async function post(tools: Tools, request: WebhookRequest, progress: Progress): Promise<Judged> {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const fault = url ? faultOfWebhookUrl(url) : 'is not valid';
  if (!url || fault !== undefined) throw new Failure('forbidden_address', `The URL ${fault}.`);
  const addresses = await tools.resolve(url);
  for (const [index, address] of addresses.entries()) {
    progress.address = address;
    try {
      return await postTo(tools, url, address, request, progress);
    } catch (error) {
      const isLast = index === addresses.length - 1;
      if (isLast || progress.over.signal.aborted || !hasNotConnected(error)) throw error;
    }
  }
  throw new Failure('dns_failed', 'The host has no address.');
}

/** Returns whether nothing was sent yet, so that another address can be tried. */
const hasNotConnected = (error: unknown): boolean =>
  error instanceof Failure && (error.outcome === 'connect_failed' || error.outcome === 'timeout');

async function postTo(
  { pools, bodyBytes }: Tools,
  url: URL,
  address: string,
  { headers, body }: WebhookRequest,
  progress: Progress,
): Promise<Judged> {
  return await pools.use(targetOf(url, address), async (pool) => {
    const answer = await pool.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { 'user-agent': 'Disca-Webhooks/1', ...headers },
      body,
      signal: progress.over.signal,
    });
    const { statusCode: status } = answer;
    progress.status = status;
    const responseBody = await readAnswer(answer.body, bodyBytes);
    return { outcome: outcomeOf(status), status, detail: detailOf(status), address, responseBody };
  });
}

function targetOf(url: URL, address: string): Target {
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { address, host, isTls, port: Number(url.port) || (isTls ? 443 : 80) };
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
