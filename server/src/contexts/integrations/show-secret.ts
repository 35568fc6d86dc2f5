import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { secondsAfter } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findIntegration, lockIntegration, saveIntegration } from './integration.store.ts';
import type { Integration, IntegrationDeps } from './integration.ts';
import { newSecretSealed, openSecret } from './secret.ts';

export interface ShownSecret {
  secret: string;
  /** Expiry of the previous secret; null if there is none. */
  previousSecretUntil: Date | null;
}

/** How long the previous secret stays valid after a rotation. */
const overlapSeconds = 24 * 3600;

/** Returns the secret of an integration, and records who has read it. */
export async function showSecret(deps: IntegrationDeps, caller: Caller, id: number): Promise<ShownSecret> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const integration = await findIntegration(tx, caller, id);
    if (!integration) throw notFound();
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'integration.reveal-secret',
      target: { type: 'integration', id: String(id) },
    });
    return shown(deps, integration);
  });
}

/** Rotates the secret. At most two secrets are valid: a second rotation during the overlap invalidates the oldest. */
export async function rotateSecret(deps: IntegrationDeps, caller: Caller, id: number): Promise<ShownSecret> {
  const at = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const before = await lockIntegration(tx, caller, id);
    if (!before) throw notFound();
    const after = {
      ...before,
      secretSealed: newSecretSealed(deps.keyRing),
      previousSecretSealed: before.secretSealed,
      previousSecretUntil: secondsAfter(at, overlapSeconds),
    };
    await saveIntegration(tx, after);
    await recordChangeBy(tx, caller, {
      at,
      action: 'integration.rotate-secret',
      target: { type: 'integration', id: String(id) },
      after: { secret_changed: true, previous_secret_until: after.previousSecretUntil.toISOString() },
    });
    return shown(deps, after);
  });
}

function shown(
  { keyRing, clock }: IntegrationDeps,
  { secretSealed, previousSecretUntil }: Integration,
): ShownSecret {
  const isOverlapping = previousSecretUntil !== null && previousSecretUntil > clock.now();
  return {
    secret: openSecret(keyRing, secretSealed),
    previousSecretUntil: isOverlapping ? previousSecretUntil : null,
  };
}
