import { z } from 'zod';
import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { type Fault, invalid, notFound } from '../../../platform/errors.ts';
import { type EventType, eventTypes } from '../../../platform/event-types.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { JobQueue } from '../../../platform/jobs.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { faultsOfWindow } from '../../../platform/window.ts';
import { recordChangeBy } from '../../audit/index.ts';
import type { Integration } from '../../integrations/index.ts';
import { spendBudget } from '../../limits/index.ts';
import { enqueueDeliveries } from '../delivery/delivery-queue.store.ts';
import { replayQueue } from '../delivery/webhook.queues.ts';
import { findDeliveryEvent, selectDeliveries } from '../listing/delivery-list.store.ts';
import { ownedIntegration, requireEnabled, requireProven } from '../owned-integration.ts';
import { findNumbers, mayReceive, renewDelivery, renewWindow } from './replay.store.ts';

export interface ReplayDeps {
  db: Database;
  clock: Clock;
  jobs: JobQueue;
  deliveryRetentionDays: number;
}

/**
 * Sends a delivery again immediately with the same id, and restarts its retry schedule. A delivery whose event the owner
 * may no longer receive is not found.
 */
export async function replayDelivery(
  deps: ReplayDeps,
  caller: Caller,
  integrationId: string,
  deliveryId: string,
): Promise<void> {
  const { accountId } = caller;
  const at = deps.clock.now();
  await inAccount(deps.db, accountId, async (tx) => {
    const integration = await ownedIntegration(tx, caller, integrationId);
    const { id } = integration;
    if (!isUuid(deliveryId)) throw notFound();
    const delivery = await selectDeliveries(tx, accountId, id)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    const event = delivery && (await findDeliveryEvent(tx, accountId, deliveryId));
    const target = { accountId, integrationId: id, at };
    if (!event || !(await mayReceive(tx, target, event))) throw notFound();
    requireEnabled(integration);
    requireProven(integration);
    await spendBudget(tx, accountId, 'replayed_events', 1, at);
    const renewed = await renewDelivery(tx, target, deliveryId);
    await enqueue(tx, id, renewed, at);
    await noteReplay(tx, caller, integration, at, { deliveryId });
  });
}

export interface AskedReplay {
  since: string;
  until: string;
  types?: EventType[] | undefined;
}

/** Enqueues the replay of a window of events. Returns the number of events in it. */
export async function replayWindow(
  deps: ReplayDeps,
  caller: Caller,
  integrationId: string,
  asked: AskedReplay,
): Promise<{ events: number }> {
  const { accountId } = caller;
  const at = deps.clock.now();
  const window = {
    since: new Date(asked.since),
    until: new Date(asked.until),
    types: asked.types ?? [...eventTypes],
  };
  const faults = faultsOfReplay(deps, asked);
  if (faults.length > 0) throw invalid(...faults);
  return await inAccount(deps.db, accountId, async (tx) => {
    const integration = await ownedIntegration(tx, caller, integrationId);
    requireEnabled(integration);
    requireProven(integration);
    const { count } = await findNumbers(tx, accountId, window);
    await spendBudget(tx, accountId, 'replayed_events', count, at);
    const job = { accountId, integrationId: integration.id, ...window, askedAt: at };
    const key = `${integration.id} ${asked.since} ${asked.until} ${window.types}`;
    await deps.jobs.enqueue(tx, replayQueue.name, job, { key });
    await noteReplay(tx, caller, integration, at, { ...asked });
    return { events: count };
  });
}

/** Returns the faults of a window to replay. For a refused request, checks only its valid times. */
export function faultsOfReplay(
  { clock, deliveryRetentionDays }: ReplayDeps,
  asked: { since?: string | undefined; until?: string | undefined },
): Fault[] {
  if (asked.since === undefined) return [];
  const since = new Date(asked.since);
  const isKept = since >= secondsAfter(clock.now(), -deliveryRetentionDays * 24 * 3600);
  const message = `\`since\` must be at most ${deliveryRetentionDays} days ago; older events cannot be replayed.`;
  return [
    ...(asked.until === undefined
      ? []
      : faultsOfWindow(since, new Date(asked.until), deliveryRetentionDays + 1)),
    ...(isKept ? [] : [{ path: 'since', code: 'too_small', message }]),
  ];
}

const replayJob = z.object({
  accountId: z.int(),
  integrationId: z.int(),
  since: z.coerce.date(),
  until: z.coerce.date(),
  types: z.array(z.string()),
  askedAt: z.coerce.date(),
});

const batch = 500;

/** Replays a window. Idempotent: after a restart, skips deliveries that have arrived since the replay was requested. */
export async function replayAll(deps: ReplayDeps, data: unknown, signal: AbortSignal): Promise<void> {
  const job = replayJob.parse(data);
  const { accountId, integrationId } = job;
  const { first, last } = await inAccount(deps.db, accountId, (tx) => findNumbers(tx, accountId, job));
  if (first === null || last === null) return;
  for (let after = first - 1; after < last && !signal.aborted; ) {
    const from = after;
    after = await inAccount(deps.db, accountId, async (tx) => {
      const target = { ...job, at: deps.clock.now(), after: from, last };
      const { renewed, reached } = await renewWindow(tx, target, batch);
      await enqueue(tx, integrationId, renewed, target.at);
      return reached ?? last;
    });
  }
  if (signal.aborted)
    throw new Error('The replay was interrupted and continues when its job is fetched again.');
}

/** Uses the retry lane, so that new events never wait behind replays. */
const enqueue = (tx: Tx, integrationId: number, ids: string[], at: Date): Promise<void> =>
  enqueueDeliveries(
    tx,
    ids.map((id) => ({ id, integrationId, isRetry: true })),
    at,
  );

const noteReplay = (
  tx: Tx,
  caller: Caller,
  { id }: Integration,
  at: Date,
  after: Record<string, unknown>,
): Promise<void> =>
  recordChangeBy(tx, caller, {
    at,
    action: 'integration.replay',
    target: { type: 'integration', id: String(id) },
    after,
  });
