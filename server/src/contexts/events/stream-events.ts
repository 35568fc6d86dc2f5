import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { refreshCaller } from '../access/index.ts';
import { budgetRefusal, findBudget } from '../limits/index.ts';
import type { ProgressFeed, ProgressInbox } from './call-progress.ts';
import { readHead } from './feed.store.ts';
import { type ReadEventsDeps, readEvents, type ShownEvent } from './read-events.ts';

export interface StreamDeps extends ReadEventsDeps {
  eventHeartbeatMs: number;
  callProgress: ProgressFeed;
}

export interface AskedStream {
  /** Number after which to start; undefined to start with new events. */
  after: number | undefined;
  lastsMs: number;
}

const maxBatch = 100;
const retryMs = 1_000;

/** Yields server-sent events until the duration is over or the token has expired. */
export async function streamEvents(
  deps: StreamDeps,
  caller: Caller,
  asked: AskedStream,
  signal: AbortSignal,
): Promise<AsyncGenerator<string>> {
  const { accountId } = caller;
  const after = asked.after ?? (await inAccount(deps.db, accountId, (tx) => readHead(tx, accountId)));
  return withProgress(deps, caller, after, asked.lastsMs, signal);
}

async function* withProgress(
  deps: StreamDeps,
  caller: Caller,
  after: number,
  lastsMs: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const progress = deps.callProgress.open(caller.accountId);
  try {
    yield* follow({ ...deps, progress }, caller, after, lastsMs, signal);
  } finally {
    progress.close();
  }
}

async function* follow(
  deps: StreamDeps & { progress: ProgressInbox },
  caller: Caller,
  after: number,
  lastsMs: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const endsAt = performance.now() + lastsMs;
  let beatsAt = performance.now() + deps.eventHeartbeatMs;
  let current: Caller | undefined = caller;
  let position = after;
  yield `retry: ${retryMs}\n${positionText(position)}`;
  while (!signal.aborted) {
    const { events, reached } = await readEvents(deps, current, position, maxBatch);
    const hasMoved = reached > position;
    position = reached;
    if (events.length > 0) yield events.map(eventText).join('');
    const progress = deps.progress.take(current);
    if (progress.length > 0) yield progress.map((each) => progressText(each, position)).join('');
    if (!hasMoved) {
      if (performance.now() >= endsAt) return;
      const waitMs = Math.min(beatsAt, endsAt) - performance.now();
      const arrival = deps.progress.arrival(signal);
      await deps.eventWatch.waitForEventsAfter(current.accountId, position, waitMs, arrival);
    }
    if (performance.now() < beatsAt) continue;
    current = await refreshCaller(deps, current);
    if (!current) return;
    beatsAt = performance.now() + deps.eventHeartbeatMs;
    yield `: heartbeat\n${positionText(position)}`;
  }
}

const eventText = (event: ShownEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Formats progress of a call. It has the number of the last event, so that a client that stores the number resumes after
 * that event, and no id, because it is not part of the log.
 */
const progressText = (progress: Omit<ShownEvent, 'sequence'>, position: number): string =>
  `event: ${progress.type}\ndata: ${JSON.stringify({ sequence: position, ...progress })}\n\n`;

/** Formats an id without data, which is not an event for the client; it only updates its resume position. */
const positionText = (sequence: number): string => `id: ${sequence}\n\n`;

/** Returns how many streams the account may have at once in this process. */
export const streamBudget = ({ db }: ReadEventsDeps, { accountId }: Caller): Promise<number | null> =>
  inAccount(db, accountId, (tx) => findBudget(tx, accountId, 'event_streams'));

/** Limits the concurrent streams of a process, per user, per account and in total. */
export interface StreamSlots {
  /** Reserves a slot until the signal aborts. `most` is the account's budget. */
  take(owner: Pick<Caller, 'userId' | 'accountId'>, most: number | null, until: AbortSignal): void;
}

const maxPerUser = 5;
const maxPerProcess = 2_000;

export function createStreamSlots(): StreamSlots {
  const [users, accounts] = [new Map<number, number>(), new Map<number, number>()];
  let all = 0;
  return {
    take({ userId, accountId }, most, until) {
      const own = users.get(userId) ?? 0;
      if (own >= maxPerUser) {
        const message = `You already have ${maxPerUser} open streams. Close one first.`;
        throw new Refusal('CAPACITY_EXCEEDED', message, { retryAfterSeconds: 5 });
      }
      if (most !== null && (accounts.get(accountId) ?? 0) >= most) throw budgetRefusal('event_streams', most);
      if (all >= maxPerProcess) {
        const message = 'Too many open streams right now. Try again later.';
        throw new Refusal('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 });
      }
      add(users, userId, 1);
      add(accounts, accountId, 1);
      all += 1;
      const free = () => {
        add(users, userId, -1);
        add(accounts, accountId, -1);
        all -= 1;
      };
      until.addEventListener('abort', free, { once: true });
    },
  };
}

function add(counts: Map<number, number>, key: number, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
