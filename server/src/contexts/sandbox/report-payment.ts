import { z } from 'zod';
import type { QueueDefinition } from '../../platform/jobs.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { Clock } from '../../platform/time.ts';
import { type Notification, notificationSchema, signatureHeader, signatureOf } from './notification.ts';

export const maxNotifications = 5;
export const longestDelaySeconds = 3600;

/** How the sandbox reports payment changes, including failures that real gateways show. */
export const reportingSchema = z.object({
  notifications: z.int().min(0).max(maxNotifications),
  delaySeconds: z.int().min(0).max(longestDelaySeconds),
  shuffled: z.boolean(),
});
export type Reporting = z.output<typeof reportingSchema>;

export const notifyJobSchema = z.object({
  paymentId: z.string(),
  events: z.array(notificationSchema).max(2 * maxNotifications),
  reporting: reportingSchema,
});
export type NotifyJob = z.output<typeof notifyJobSchema>;

/** Retries back off from 1 s to 10 min: 150 attempts span a day, like real gateways. */
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
  /** URL under which this process reaches the API. */
  apiUrl: string;
}

const answerTimeoutMs = 10_000;

/**
 * Sends the events one after the other over HTTP, as a real gateway would. Only 200 counts as success; anything else
 * throws, and the queue starts again with the first event, so delivery is at least once.
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
  if (answer.status !== 200) throw new Error(`Notification ${event.id} got status ${answer.status}.`);
}
