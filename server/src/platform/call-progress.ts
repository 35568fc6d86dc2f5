import { z } from 'zod';
import type { RedisClient } from './redis/redis.ts';
import { publishWake, type WakeChannels } from './redis/wake.ts';

/** Progress of a running call that is reported to streams only, between the events of the log. */
export interface CallProgress {
  callId: string;
  /** `dialing` when the extension has answered and the destination is dialled, `alerting` when the destination rings. */
  state: 'dialing' | 'alerting';
  at: Date;
}

/** A user has changed their availability, which streams read and show. */
export interface AvailabilityChange {
  userId: number;
  at: Date;
}

export type Progress = CallProgress | AvailabilityChange;

const message = z.union([
  z.object({ callId: z.uuid(), state: z.enum(['dialing', 'alerting']), at: z.coerce.date() }),
  z.object({ userId: z.int(), at: z.coerce.date() }),
]);

const channelOf = (accountId: number): string => `disca:progress:${accountId}`;

/** Publishes to the processes that have streams of the account. Without Redis, the progress is lost. */
export const publishProgress = (redis: RedisClient, accountId: number, progress: Progress): void =>
  publishWake(redis, channelOf(accountId), JSON.stringify(progress));

/** Calls `onProgress` for the calls and the users of the account; returns a function that stops listening. */
export const listenForProgress = (
  channels: WakeChannels,
  accountId: number,
  onProgress: (progress: Progress) => void,
): (() => void) =>
  channels.listen(channelOf(accountId), (text) => {
    const read = message.safeParse(parseJson(text));
    if (read.success) onProgress(read.data);
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
