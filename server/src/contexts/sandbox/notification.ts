import { z } from 'zod';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { GatewayRefused } from '../charges/index.ts';

/** A notification that a payment changed. The receiver has to read its state. */
export const notificationSchema = z.object({
  id: z.string().max(100),
  event: z.string().max(100),
  payment: z.object({ id: z.string().max(100) }),
});
export type Notification = z.output<typeof notificationSchema>;

interface SigningDeps {
  keyRing: KeyRing;
  clock: Clock;
}

export const signatureHeader = 'sandbox-signature';
const purpose = 'sandbox-notification';
/** Covers delivery to our API; every attempt is signed again. */
const validSeconds = 300;

/** Returns the header that authenticates one notification. */
export function signatureOf({ keyRing, clock }: SigningDeps, { id, event, payment }: Notification): string {
  return keyRing.sign(purpose, { id, event, paymentId: payment.id }, secondsAfter(clock.now(), validSeconds));
}

/** Returns undefined for an event that is not about a payment. */
export function readNotification(
  { keyRing, clock }: SigningDeps,
  headers: Record<string, string | undefined>,
  body: unknown,
): { eventId: string; paymentId: string } | undefined {
  const verified = keyRing.verify(purpose, headers[signatureHeader] ?? '', clock.now());
  if (verified.state !== 'valid') throw new GatewayRefused('The signature of the notification is invalid.');
  const read = notificationSchema.safeParse(body);
  const { id, event, paymentId } = verified.payload;
  if (!read.success || read.data.id !== id || read.data.event !== event || read.data.payment.id !== paymentId)
    throw new GatewayRefused('The signature belongs to another notification.');
  return read.data.event.startsWith('PAYMENT_')
    ? { eventId: read.data.id, paymentId: read.data.payment.id }
    : undefined;
}
