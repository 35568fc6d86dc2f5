import type { AvailabilityChange, CallProgress, Progress } from '../../platform/call-progress.ts';
import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { callsFollowedBy } from '../../platform/visibility.ts';
import { findAvailability, findRecipient, findRunningCall } from './feed.store.ts';
import { eventBody } from './payload.rules.ts';

/** Progress as streams show it, and the users whose call or availability it is. */
interface Shown {
  type: string;
  occurredAt: string;
  id: string;
  data: Record<string, unknown>;
  belongsTo: (number | null)[];
}

/** Progress of calls and changes of availability that have arrived for one stream. */
export interface ProgressInbox {
  /** Returns and removes what the caller may see. */
  take(caller: Caller): Omit<Shown, 'belongsTo'>[];
  /** Aborts when something arrives, or with the stream. */
  arrival(stream: AbortSignal): AbortSignal;
  close(): void;
}

export interface ProgressFeed {
  open(accountId: number): ProgressInbox;
}

/** Subscribes to the progress of an account; returns a function that stops it. */
type Listen = (accountId: number, onProgress: (progress: Progress) => void) => () => void;

/** Most clients read at once; for one that does not, the oldest progress is the least useful. */
const maxWaiting = 100;
const feedVersion = '1.8';

/**
 * Distributes progress to the streams of this process, in the order of its arrival. The call is read once, however many
 * streams show it.
 */
export function createProgressFeed(db: Database, listen: Listen): ProgressFeed {
  const accounts = new Map<number, { inboxes: Set<(shown: Shown) => void>; stop(): void }>();

  function subscribe(accountId: number) {
    const inboxes = new Set<(shown: Shown) => void>();
    let distributed = Promise.resolve();
    const stop = listen(accountId, (progress) => {
      // Without the database, streams show nothing else either.
      const reading = show(db, accountId, progress).catch(() => undefined);
      distributed = distributed.then(async () => {
        const shown = await reading;
        if (shown) for (const put of inboxes) put(shown);
      });
    });
    const account = { inboxes, stop };
    accounts.set(accountId, account);
    return account;
  }

  return {
    open(accountId) {
      const account = accounts.get(accountId) ?? subscribe(accountId);
      const waiting: Shown[] = [];
      let arrived = new AbortController();
      const put = (shown: Shown): void => {
        waiting.push(shown);
        if (waiting.length > maxWaiting) waiting.shift();
        arrived.abort();
      };
      account.inboxes.add(put);
      return {
        take(caller) {
          arrived = new AbortController();
          const userId = callsFollowedBy(caller);
          return waiting
            .splice(0)
            .filter(({ belongsTo }) => userId === undefined || belongsTo.includes(userId))
            .map(({ belongsTo: _, ...shown }) => shown);
        },
        arrival: (stream) => AbortSignal.any([stream, arrived.signal]),
        close() {
          account.inboxes.delete(put);
          if (account.inboxes.size > 0 || accounts.get(accountId) !== account) return;
          account.stop();
          accounts.delete(accountId);
        },
      };
    },
  };
}

const show = (db: Database, accountId: number, progress: Progress): Promise<Shown | undefined> =>
  'callId' in progress ? showProgress(db, accountId, progress) : showAvailability(db, accountId, progress);

/**
 * Availability is state that clients read when they connect, not a fact that an integration must process once, so it is
 * sent like progress and is not in the log.
 */
async function showAvailability(
  db: Database,
  accountId: number,
  { userId, at }: AvailabilityChange,
): Promise<Shown | undefined> {
  return await inAccount(db, accountId, async (tx) => {
    const found = await findAvailability(tx, accountId, userId);
    if (!found) return undefined;
    const { uuid, name, status, reason, since } = found;
    const occurredAt = (since ?? at).toISOString();
    const data = { uuid, name, status, reason, since: since?.toISOString() ?? null };
    return {
      type: 'availability-changed',
      occurredAt,
      id: `${uuid}-${occurredAt}`,
      data,
      belongsTo: [userId],
    };
  });
}

async function showProgress(
  db: Database,
  accountId: number,
  { callId, state, at }: CallProgress,
): Promise<Shown | undefined> {
  return await inAccount(db, accountId, async (tx) => {
    const found = await findRunningCall(tx, accountId, callId);
    if (!found) return undefined;
    const type = `channel-${state}`;
    const event = { type, subjectId: callId, occurredAt: at, accountSequence: 0, sequence: undefined };
    const to = { version: feedVersion, ...(await findRecipient(tx, accountId)) };
    const unknown = { recordUrl: null, hangupCauseCode: null };
    // Not an event of the log, so it has no number.
    const { accountSequence: _, ...data } = eventBody({ ...event, call: found.call, data: {} }, to, unknown);
    const { belongsTo } = found;
    return { type, occurredAt: at.toISOString(), id: `${callId}-${state}`, data, belongsTo };
  });
}
