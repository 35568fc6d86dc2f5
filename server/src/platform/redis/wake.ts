import { openRedis, type RedisClient, type RedisOptions } from './redis.ts';

/** Wakes whoever waits for work in the database. A hint, never the truth: without it they look a moment later. */
export const createWaker =
  (redis: RedisClient, channel: string): (() => void) =>
  () =>
    void redis.publish(channel, '').catch(() => undefined);

export interface WakeListener {
  /** Calls `wake` at every hint; answers how to stop listening. */
  onWake(wake: () => void): () => void;
  close(): void;
}

export function listenForWakes(url: string, channel: string, options: RedisOptions = {}): WakeListener {
  const listeners = new Set<() => void>();
  // A connection that only listens is silent for hours, and that is no fault of it.
  const redis = openRedis(url, () => undefined, {
    ...options,
    socketTimeout: 0,
    commandTimeout: 5_000,
    // Subscribing again is done below; the client's own attempt, failing, would end the process.
    autoResubscribe: false,
  });
  redis.on('message', () => {
    for (const wake of listeners) wake();
  });
  redis.on('ready', () => void redis.subscribe(channel).catch(() => undefined));
  return {
    onWake(wake) {
      listeners.add(wake);
      return () => void listeners.delete(wake);
    },
    close: () => redis.disconnect(),
  };
}
