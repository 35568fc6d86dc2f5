import { openRedis, type RedisClient, type RedisOptions } from './redis.ts';

/** Wakes processes that wait for work in the database. Optional: they also poll. */
export const createWaker =
  (redis: RedisClient, channel: string): (() => void) =>
  () =>
    publishWake(redis, channel, '');

export const publishWake = (redis: RedisClient, channel: string, message: string): void =>
  void redis.publish(channel, message).catch(() => undefined);

export interface WakeListener {
  /** Calls `wake` on every wake-up message; returns a function that stops listening. */
  onWake(wake: () => void): () => void;
  close(): void;
}

export function listenForWakes(url: string, channel: string, options: RedisOptions = {}): WakeListener {
  const channels = openWakeChannels(url, options);
  return { onWake: (wake) => channels.listen(channel, wake), close: channels.close };
}

export interface WakeChannels {
  /** Calls `wake` on every message of the channel; returns a function that stops listening. */
  listen(channel: string, wake: (message: string) => void): () => void;
  close(): void;
}

/**
 * A connection that only subscribes sends nothing, so without probes it would not notice for hours that the machine of
 * Redis was lost and another one has its address.
 */
const probeEveryMs = 5_000;
const answerTimeoutMs = 5_000;

/** Listens to channels on one connection. Messages that are sent while it is down are lost. */
export function openWakeChannels(url: string, options: RedisOptions = {}): WakeChannels {
  const listeners = new Map<string, Set<(message: string) => void>>();
  const redis = openRedis(url, () => undefined, {
    ...options,
    // Counts only while a reply is due, so a connection without messages stays open. 0 would not mean "never": it would
    // close every connection to a Redis that takes more than a millisecond to reply.
    socketTimeout: answerTimeoutMs,
    commandTimeout: answerTimeoutMs,
    // Resubscribing is done below; if the client's own attempt failed, the process would end.
    autoResubscribe: false,
  });
  const subscribe = (...channels: string[]): void => {
    if (channels.length > 0 && redis.status === 'ready')
      void redis.subscribe(...channels).catch(() => undefined);
  };
  redis.on('message', (channel: string, message: string) => {
    for (const wake of listeners.get(channel) ?? []) wake(message);
  });
  redis.on('ready', () => subscribe(...listeners.keys()));
  const probing = setInterval(() => {
    if (redis.status === 'ready') void redis.ping().catch(() => undefined);
  }, probeEveryMs);
  probing.unref();
  return {
    listen(channel, wake) {
      const known = listeners.get(channel) ?? new Set();
      listeners.set(channel, known.add(wake));
      if (known.size === 1) subscribe(channel);
      return () => {
        known.delete(wake);
        if (known.size > 0 || listeners.get(channel) !== known) return;
        listeners.delete(channel);
        if (redis.status === 'ready') void redis.unsubscribe(channel).catch(() => undefined);
      };
    },
    close() {
      clearInterval(probing);
      redis.disconnect();
    },
  };
}
