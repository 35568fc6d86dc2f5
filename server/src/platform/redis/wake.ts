import { openRedis, type RedisClient, type RedisOptions } from './redis.ts';

/** Wakes processes that wait for work in the database. Optional: they also poll. */
export const createWaker =
  (redis: RedisClient, channel: string): (() => void) =>
  () =>
    void redis.publish(channel, '').catch(() => undefined);

export interface WakeListener {
  /** Calls `wake` on every wake-up message; returns a function that stops listening. */
  onWake(wake: () => void): () => void;
  close(): void;
}

export function listenForWakes(url: string, channel: string, options: RedisOptions = {}): WakeListener {
  const listeners = new Set<() => void>();
  // A connection that only subscribes may be idle for hours.
  const redis = openRedis(url, () => undefined, {
    ...options,
    socketTimeout: 0,
    commandTimeout: 5_000,
    // Resubscribing is done below; if the client's own attempt failed, the process would end.
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
