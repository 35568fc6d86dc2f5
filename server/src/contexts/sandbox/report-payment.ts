import { z } from 'zod';
import type { QueueDefinition } from '../../platform/jobs.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { Clock } from '../../platform/time.ts';
import { type Notification, notificationSchema, signatureHeader, signatureOf } from './notification.ts';

export const mostNotifications = 5;
export const longestDelaySeconds = 3600;

/** How the sandbox reports what happens to a payment: as a gateway on a good day, or on a bad one. */
export const reportingSchema = z.object({
  notifications: z.int().min(0).max(mostNotifications),
  delaySeconds: z.int().min(0).max(longestDelaySeconds),
  shuffled: z.boolean(),
});
export type Reporting = z.output<typeof reportingSchema>;

export const notifyJobSchema = z.object({
  paymentId: z.string(),
  events: z.array(notificationSchema).max(2 * mostNotifications),
  reporting: reportingSchema,
});
export type NotifyJob = z.output<typeof notifyJobSchema>;

/** Attempts begin 1 s apart and settle at 10 min: 150 of them span a day, as patient as real gateways are. */
export const notifyQueue: QueueDefinition = {
  name: 'sandbox.notify',
  retryLimit: 150,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 120,
  retentionSeconds: 3 * 24 * 3600,
  deleteAfterSeconds: 24 * 3600,
};

export interface ReportDeps {
  keyRing: KeyRing;
  clock: Clock;
  /** Where the API is reached from here. */
  apiUrl: string;
}

const answerTimeoutMs = 10_000;

/**
 * Tells the events one after the other, over HTTP like any gateway. Only 200 counts; anything else throws, and the
 * queue begins again with the first, so that an event arrives at least once.
 */
export async function reportEvents(
  deps: ReportDeps,
  events: Notification[],
  signal: AbortSignal,
): Promise<void> {
  for (const event of events) await reportEvent(deps, event, signal);
}

async function reportEvent(deps: ReportDeps, event: Notification, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${deps.apiUrl}/api/v1/gateways/sandbox/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [signatureHeader]: signatureOf(deps, event) },
    body: JSON.stringify(event),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  });
  await answer.body?.cancel();
  if (answer.status !== 200) throw new Error(`The report of ${event.id} was answered ${answer.status}.`);
}
