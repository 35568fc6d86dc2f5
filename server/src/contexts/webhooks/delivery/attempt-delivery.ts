import type { KeyRing } from '../../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { presentEvent, webhookMessageId } from '../../events/index.ts';
import { openSecrets } from '../../integrations/index.ts';
import type { RecordingUrlDeps } from '../../recordings/index.ts';
import type { SendResult, WebhookSender } from '../ports.ts';
import type { Attempt, DueDelivery } from './delivery-queue.store.ts';
import { secondsToNext } from './retry.rules.ts';
import { signatureHeaders } from './sign.ts';

export interface AttemptDeps extends RecordingUrlDeps {
  clock: Clock;
  keyRing: KeyRing;
  sender: WebhookSender;
}

/** Sends one request and classifies the result. Failures of the endpoint are results, not exceptions. */
export async function attemptDelivery(deps: AttemptDeps, delivery: DueDelivery): Promise<Attempt> {
  const at = deps.clock.now();
  const result = unsendable(delivery) ?? (await deps.sender.send(requestOf(deps, delivery, at)));
  const roundAttempts = delivery.roundAttempts + 1;
  const number = delivery.attempts + 1;
  return {
    ...result,
    ...idsOf(delivery),
    number,
    roundAttempts,
    at,
    provesUrl: delivery.isProven ? undefined : delivery.url,
    ...fate(result, roundAttempts, deps.clock.now()),
  };
}

/**
 * Returns the reason not to send, if there is one. Since the delivery was planned, the owner may have lost a permission,
 * and since the URL was saved, the account may have gone live.
 */
function unsendable({ isEnabled, mayReceive, mode, url }: DueDelivery): SendResult | undefined {
  if (!isEnabled) return { ...nothing, outcome: 'gone', detail: 'The webhook is disabled.' };
  if (!mayReceive) {
    const detail = 'The owner of the integration may no longer receive this event.';
    return { ...nothing, outcome: 'gone', detail };
  }
  if (mode === 'live' && !/^https:/i.test(url.trimStart())) {
    const detail = 'The URL must begin with https:// in a live account.';
    return { ...nothing, outcome: 'forbidden_address', detail };
  }
  return undefined;
}

const nothing = { status: null, address: null, responseBody: null, durationMs: 0 };

const idsOf = ({ id, accountId, integrationId }: DueDelivery) => ({
  deliveryId: id,
  accountId,
  integrationId,
});

function fate(
  { outcome }: SendResult,
  roundAttempts: number,
  now: Date,
): Pick<Attempt, 'state' | 'nextAttemptAt'> {
  if (outcome === 'delivered') return { state: 'delivered', nextAttemptAt: null };
  const seconds = outcome === 'gone' ? undefined : secondsToNext(roundAttempts, Math.random());
  if (seconds === undefined) return { state: 'failed', nextAttemptAt: null };
  return { state: 'pending', nextAttemptAt: secondsAfter(now, seconds) };
}

export function requestOf(deps: AttemptDeps, delivery: DueDelivery, at: Date) {
  const body = JSON.stringify(presentEvent(deps, delivery, delivery, delivery.listener ?? undefined));
  const headers = signatureHeaders(
    webhookMessageId(delivery.eventId),
    at,
    body,
    openSecrets(deps.keyRing, delivery, at),
  );
  return { url: delivery.url, headers: { 'content-type': 'application/json', ...headers }, body };
}
