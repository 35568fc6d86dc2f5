import { Pool } from 'undici';
import { type ConnectOptions, connectTo, type Target } from './connect.ts';

export interface PoolOptions extends ConnectOptions {
  /** Idle time after which a connection, and the pool of an endpoint, is closed. */
  idleMs: number;
  /** Maximum number of idle pools; those in use are bounded by the number of requests. */
  maxIdle: number;
}

export interface Pools {
  /** Runs `work` with the pool of a target, which stays open until the work is done. */
  use<T>(target: Target, work: (pool: Pool) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Entry {
  pool: Pool;
  users: number;
  idleSince: number;
}

/**
 * Creates one pool per host and address: a connection is used only for the host it was opened and verified for. Pools
 * have no connection limit, because requests are limited per endpoint and overall. A limit per host would let one slow
 * customer of a shared host delay the others.
 */
export function createPools(options: PoolOptions): Pools {
  const entries = new Map<string, Entry>();
  const sweeper = setInterval(() => removeIdle(entries, options), options.idleMs).unref();

  return {
    async use(target, work) {
      const key = `${target.isTls ? 'https' : 'http'}://${target.host}:${target.port} ${target.address}`;
      const entry = entries.get(key) ?? { pool: poolFor(target, options), users: 0, idleSince: 0 };
      entry.users += 1;
      // Re-inserted, so that iteration order is least recently used first.
      entries.delete(key);
      entries.set(key, entry);
      try {
        return await work(entry.pool);
      } finally {
        entry.users -= 1;
        entry.idleSince = performance.now();
      }
    },
    async close() {
      clearInterval(sweeper);
      const pools = [...entries.values()].map(({ pool }) => pool);
      entries.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function poolFor(target: Target, options: PoolOptions): Pool {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return new Pool(`${target.isTls ? 'https' : 'http'}://${host}:${target.port}`, {
    connect: (_given, connected) => connectTo(target, options, connected),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
    // Disabled: the whole request has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}

function removeIdle(entries: Map<string, Entry>, { idleMs, maxIdle }: PoolOptions): void {
  const idle = [...entries].filter(([, { users }]) => users === 0);
  const tooMany = idle.length - maxIdle;
  const before = performance.now() - idleMs;
  for (const [index, [key, { pool, idleSince }]] of idle.entries()) {
    if (index >= tooMany && idleSince > before) continue;
    entries.delete(key);
    void pool.destroy();
  }
}
