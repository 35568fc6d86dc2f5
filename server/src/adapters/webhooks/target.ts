import type { Target } from './connect.ts';
import { Failure } from './failure.ts';

export function targetOf(url: URL, address: string): Target {
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { address, host, isTls, port: Number(url.port) || (isTls ? 443 : 80) };
}

/** Returns whether nothing was sent yet, so that another address can be tried. */
export const hasNotConnected = (error: unknown): boolean =>
  error instanceof Failure && (error.outcome === 'connect_failed' || error.outcome === 'timeout');
