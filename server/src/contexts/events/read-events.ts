import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import { callsFollowedBy, mayListen } from '../../platform/visibility.ts';
import { type AuthenticateDeps, refreshCaller } from '../access/index.ts';
import type { RecordingUrlDeps } from '../recordings/index.ts';
import type { EventWaiter } from './event-waiter.ts';
import { findRecipient, readFeed } from './feed.store.ts';
import { presentEvent, webhookMessageId } from './present-event.ts';

export interface ReadEventsDeps extends RecordingUrlDeps, AuthenticateDeps {
  db: Database;
  eventWatch: EventWaiter;
}

export interface ShownEvent {
  sequence: number;
  type: string;
  occurredAt: string;
  id: string;
  data: Record<string, unknown>;
}

export interface EventPage {
  events: ShownEvent[];
  /** All events up to this number were scanned. */
  reached: number;
}

/** Rows to scan per query. A USER sees few of the events, so more rows are scanned than returned. */
const maxScanned = 2_000;
const feedVersion = '1.8';

/**
 * Returns the next events that the caller may see: an ADMIN those of the account, a supervisor those of all calls, and
 * another USER those of their own calls.
 */
export async function readEvents(
  deps: ReadEventsDeps,
  caller: Caller,
  after: number,
  limit: number,
): Promise<EventPage> {
  const { accountId, userId, uuid, role } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const reader = role === 'ADMIN' ? undefined : { userId, callsOf: callsFollowedBy(caller) };
    const lookedAt = role === 'ADMIN' ? limit : maxScanned;
    const { events, reached } = await readFeed(tx, {
      accountId,
      reader,
      after,
      limit,
      maxScanned: lookedAt,
    });
    if (events.length === 0) return { events: [], reached };
    const to = { version: feedVersion, ...(await findRecipient(tx, accountId)) };
    const shown = events.map((event) => ({
      sequence: event.accountSequence,
      type: event.type,
      occurredAt: event.occurredAt.toISOString(),
      id: webhookMessageId(event.id),
      data: presentEvent(deps, event, to, mayListen(caller, event.isOwn ?? false) ? uuid : undefined),
    }));
    return { events: shown, reached };
  });
}

/** Like `readEvents`, but long-polls for up to `waitMs`. */
export async function awaitEvents(
  deps: ReadEventsDeps,
  caller: Caller,
  asked: { after: number; limit: number; waitMs: number },
  signal: AbortSignal,
): Promise<EventPage> {
  const endsAt = performance.now() + asked.waitMs;
  let page = await readEvents(deps, caller, asked.after, asked.limit);
  while (page.events.length === 0 && performance.now() < endsAt && !signal.aborted) {
    await deps.eventWatch.waitForEventsAfter(
      caller.accountId,
      page.reached,
      endsAt - performance.now(),
      signal,
    );
    const now = await refreshCaller(deps, caller);
    if (!now) throw invalidToken();
    page = await readEvents(deps, now, page.reached, asked.limit);
  }
  return page;
}
