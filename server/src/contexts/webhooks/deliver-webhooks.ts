import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueDefinition, TakenJob } from '../../platform/jobs.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { type Attempt, loadDeliveries } from './delivery.store.ts';
import { createPlaces } from './places.ts';
import type { DeliveryJob } from './webhook.queues.ts';
import { createWriter, type WriteDeps } from './write-attempts.ts';

export interface DeliverDeps extends AttemptDeps, WriteDeps {
  /** Hints at new events, where somebody may listen. */
  wakeFeeds?(): void;
}

/** Requests to one endpoint at the same time, over all processes. */
const perEndpoint = 4;
const mostTaken = 100;
const idlePauseMs = 100;

/** Works one queue with so many requests at a time, until told to stop; what was begun is finished and written. */
export async function deliverWebhooks(
  deps: DeliverDeps,
  queue: QueueDefinition,
  sideBySide: number,
  stopping: AbortSignal,
): Promise<void> {
  const places = createPlaces(sideBySide, perEndpoint);
  const done = createWriter(deps, queue, (written) => places.giveBack(written.map(({ job }) => job.groupId)));
  const begin = ({ job, work }: Begun): void => {
    places.take(job.groupId);
    work.then(
      (attempt) => done({ job, attempt }),
      (error: unknown) => {
        // It comes again when its job expires.
        deps.onError(error);
        places.giveBack([job.groupId]);
      },
    );
  };

  while (!stopping.aborted) {
    if (places.free() < mostTaken) {
      await places.next();
      continue;
    }
    // Endpoints that are at their limit are left out, or their backlog would hide what stands behind it.
    const heldUp = places.full();
    const begun = await take(deps, queue, heldUp);
    begun.forEach(begin);
    if (begun.length > 0) continue;
    const pause = sleep(idlePauseMs, undefined, { signal: stopping }).catch(() => undefined);
    await (heldUp.length > 0 ? Promise.race([pause, places.next()]) : pause);
  }
  while (places.free() < sideBySide) await places.next();
}

interface Begun {
  job: TakenJob<DeliveryJob>;
  work: Promise<Attempt | undefined>;
}

async function take(deps: DeliverDeps, queue: QueueDefinition, heldUp: string[]): Promise<Begun[]> {
  try {
    const jobs = await deps.jobs.take<DeliveryJob>(queue.name, mostTaken, perEndpoint, heldUp);
    if (jobs.length === 0) return [];
    const ids = jobs.map(({ data }) => data.deliveryId);
    const due = new Map((await loadDeliveries(deps.db, ids)).map((delivery) => [delivery.id, delivery]));
    return jobs.map((job) => {
      const delivery = due.get(job.data.deliveryId);
      const isDue = delivery && delivery.attempts + 1 === job.data.attempt;
      return { job, work: isDue ? attemptDelivery(deps, delivery) : Promise.resolve(undefined) };
    });
  } catch (error) {
    // Jobs that were taken and not begun come again when they expire.
    deps.onError(error);
    return [];
  }
}
