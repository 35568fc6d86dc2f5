import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { refreshCaller } from '../access/index.ts';
import { budgetRefusal, findBudget } from '../limits/index.ts';
import { readHead } from './feed.store.ts';
import { type ReadEventsDeps, readEvents, type ShownEvent } from './read-events.ts';

export interface StreamDeps extends ReadEventsDeps {
  eventHeartbeatMs: number;
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
  return follow(deps, caller, after, asked.lastsMs, signal);
}

async function* follow(
  deps: StreamDeps,
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
    if (!hasMoved) {
      if (performance.now() >= endsAt) return;
      const waitMs = Math.min(beatsAt, endsAt) - performance.now();
      await deps.eventWatch.waitForEventsAfter(current.accountId, position, waitMs, signal);
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
