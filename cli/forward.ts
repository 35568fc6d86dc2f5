import { type DiscaError, signWebhook } from '../sdk/src/index.ts';

export interface Forwarded {
  url: string;
  id: string;
  status: number | null;
  durationMs: number;
  /** Why there was no response. */
  failure: string | null;
}

/** In milliseconds, the same as the service's. */
const timeoutMs = 15_000;

/** Sends a body to a receiver, signed like the service signs it. */
export async function forward(
  target: { url: string; secret: string; id: string },
  payload: unknown,
): Promise<Forwarded> {
  const { url, secret, id } = target;
  const body = JSON.stringify(payload);
  const headers = { 'content-type': 'application/json', ...(await signWebhook(body, secret, { id })) };
  const startedMs = performance.now();
  const outcome = await send(url, { method: 'POST', headers, body });
  return { url, id, durationMs: Math.round(performance.now() - startedMs), ...outcome };
}

async function send(url: string, init: RequestInit): Promise<Pick<Forwarded, 'status' | 'failure'>> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return { status: response.status, failure: null };
  } catch (error) {
    const { cause, message } = error as DiscaError;
    return { status: null, failure: cause instanceof Error ? cause.message : message };
  }
}

export const isDelivered = ({ status }: Forwarded): boolean =>
  status !== null && status >= 200 && status < 300;

export const forwardedText = (type: string, { status, failure, durationMs, url }: Forwarded): string =>
  `${type.padEnd(16)}  → ${url}  ${status ?? failure}  ${durationMs} ms`;
