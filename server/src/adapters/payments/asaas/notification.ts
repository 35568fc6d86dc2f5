import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayRefused } from '../../../contexts/charges/index.ts';
import { asaasEvent } from './schemas.ts';

/** Page views do not change the payment, so reading it again would waste a request. */
const idleEvents = new Set(['PAYMENT_CHECKOUT_VIEWED', 'PAYMENT_BANK_SLIP_VIEWED']);

export function readNotification(
  token: string,
  headers: Record<string, string | undefined>,
  body: unknown,
): { eventId: string; paymentId: string } | undefined {
  if (!isSame(headers['asaas-access-token'] ?? '', token)) {
    throw new GatewayRefused('The notification does not carry the token agreed with Asaas');
  }
  const event = asaasEvent.safeParse(body);
  if (!event.success || idleEvents.has(event.data.event)) return undefined;
  return { eventId: event.data.id, paymentId: event.data.payment.id };
}

/**
 * Compares digests, which have equal length, so that timing reveals neither the length nor the content of the token.
 */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return expected !== '' && timingSafeEqual(digest(given), digest(expected));
}
