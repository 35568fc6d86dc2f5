import { Pool } from 'undici';
import { type ConnectOptions, connectTo, type Target } from './connect.ts';

export interface PoolOptions extends ConnectOptions {
  /** How long a connection, and the pool of an endpoint, is kept without work. */
  idleMs: number;
  /** Pools kept without work; those in use come on top, as many as there are requests at most. */
  mostIdle: number;
}

export interface Pools {
  /** Lends the pool of a target for as long as the work takes. */
  use<T>(target: Target, work: (pool: Pool) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Entry {
  pool: Pool;
  users: number;
  idleSince: number;
}

/**
 * One pool for each host and address: a connection serves no other host than the one it was made and checked for. A
 * pool opens as many connections as it is asked for at once. How many that are at most is decided where requests are
 * begun, by endpoint and in all; a limit per host would let one slow customer of a shared host hold up the others.
 */
export function createPools(options: PoolOptions): Pools {
  const entries = new Map<string, Entry>();
  const sweeper = setInterval(() => removeIdle(entries, options), options.idleMs).unref();

  return {
    async use(target, work) {
      const key = `${target.isTls ? 'https' : 'http'}://${target.host}:${target.port} ${target.address}`;
      const entry = entries.get(key) ?? { pool: poolFor(target, options), users: 0, idleSince: 0 };
      entry.users += 1;
      // The least recently used stand first.
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
    // The whole request has one deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}

function removeIdle(entries: Map<string, Entry>, { idleMs, mostIdle }: PoolOptions): void {
  const idle = [...entries].filter(([, { users }]) => users === 0);
  const tooMany = idle.length - mostIdle;
  const before = performance.now() - idleMs;
  for (const [index, [key, { pool, idleSince }]] of idle.entries()) {
    if (index >= tooMany && idleSince > before) continue;
    entries.delete(key);
    void pool.destroy();
  }
}
