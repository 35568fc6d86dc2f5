import type { Tx } from '../../platform/db/database.ts';
import { recordChange } from '../audit/index.ts';
import { findUsers, type User } from '../users/index.ts';
import { markDisabled } from './integration.store.ts';

export interface Disabling {
  reason: string;
  at: Date;
  /** Skips integrations that their owner changed after this time. */
  unlessChangedSince: Date;
}

/** Disables delivery until the owner enables it again. Returns the owner to notify; undefined if nothing was disabled. */
export async function disableIntegration(
  tx: Tx,
  accountId: number,
  id: number,
  disabling: Disabling,
): Promise<{ gateway: string; url: string; owner: User } | undefined> {
  const disabled = await markDisabled(tx, accountId, id, disabling);
  if (!disabled) return undefined;
  await recordChange(tx, {
    accountId,
    at: disabling.at,
    actor: null,
    origin: { address: 'system', requestId: '' },
    action: 'integration.disable',
    target: { type: 'integration', id: String(id) },
    before: { webhookDisabled: false },
    after: { webhookDisabled: true, reason: disabling.reason },
  });
  const [owner] = await findUsers(tx, accountId, [disabled.userId]);
  return owner && { gateway: disabled.gateway, url: disabled.settings.url ?? '', owner };
}
