import { enterAccount, type Tx } from '../../../platform/db/database.ts';
import { disableIntegration } from '../../integrations/index.ts';
import type { QueueMail } from '../../notifications/index.ts';
import type { Attempt } from './delivery-queue.store.ts';

export interface DisableDeps {
  queueMail: QueueMail;
  consoleUrl: string;
}

interface DisableDecision {
  integrationId: number;
  accountId: number;
  reason: string;
  /** Skips integrations that their owner changed after this time. */
  since: Date;
  isMailed: boolean;
}

/**
 * Disables integrations that answered 410 or have failed for days. In the second case the owner is notified by e-mail.
 */
export async function disableIntegrations(
  tx: Tx,
  deps: DisableDeps,
  attempts: Attempt[],
  given: { integrationId: number; accountId: number }[],
  at: Date,
): Promise<void> {
  for (const decision of decideDisabling(attempts, given, at)) {
    const { accountId, integrationId, reason, since, isMailed } = decision;
    await enterAccount(tx, accountId);
    const disabling = { reason, at, unlessChangedSince: since };
    const disabled = await disableIntegration(tx, accountId, integrationId, disabling);
    if (!disabled || !isMailed) continue;
    const { owner, gateway, url } = disabled;
    await deps.queueMail(tx, {
      to: owner.email,
      locale: owner.locale,
      template: 'webhook-disabled',
      data: {
        gateway,
        host: new URL(url).hostname,
        disabledAt: at.toISOString(),
        link: `${deps.consoleUrl}/integrations`,
      },
    });
  }
}

/** Returns one decision per integration, ordered by id, so that concurrent processes cannot deadlock. */
function decideDisabling(
  attempts: Attempt[],
  given: { integrationId: number; accountId: number }[],
  at: Date,
): DisableDecision[] {
  const failing = given.map((each) => ({
    ...each,
    reason: 'Every delivery failed for 5 days.',
    since: at,
    isMailed: true,
  }));
  const gone = attempts
    .filter(({ status }) => status === 410)
    .map(({ integrationId, accountId, at: since }) => ({
      integrationId,
      accountId,
      reason: 'The endpoint responded 410 Gone.',
      since,
      isMailed: false,
    }));
  const byId = new Map([...failing, ...gone].map((decision) => [decision.integrationId, decision]));
  return [...byId.values()].sort((one, other) => one.integrationId - other.integrationId);
}
