import type { Platform } from './platform.ts';

/**
 * A machine that is busy elsewhere may need more than the 50 ms after which the API counts by itself. Where a test
 * expects an exact count, Redis is waited for.
 */
export function waitForRedis({ api }: Platform): void {
  api.redis.options.commandTimeout = 20_000;
  api.redis.options.socketTimeout = 20_000;
}
