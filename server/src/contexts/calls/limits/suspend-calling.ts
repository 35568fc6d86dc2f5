import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Actor, recordChange } from '../../audit/index.ts';
import { deleteSuspension, findSuspension, type Suspension, saveSuspension } from './caps.store.ts';

export type { Suspension } from './caps.store.ts';

/**
 * Refuses new outbound calls of an account until the operator lifts it. Running, internal and inbound calls go on. An
 * account that is suspended already keeps its first reason.
 */
export async function suspendCalling(
  tx: Tx,
  { accountId, reason, at }: { accountId: number; reason: string; at: Date },
): Promise<void> {
  if (!(await saveSuspension(tx, accountId, { at, reason }))) return;
  await recordChange(tx, {
    accountId,
    at,
    actor: null,
    origin: { address: 'system', requestId: '' },
    action: 'account.suspend',
    target: { type: 'account', id: String(accountId) },
    before: { calling: true },
    after: { calling: false, reason },
  });
}

/** Operator commands; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

export const showSuspension = (deps: OperatorDeps, accountId: number): Promise<Suspension | undefined> =>
  inAccount(deps.db, accountId, (tx) => findSuspension(tx, accountId));

/** Allows outbound calls again. Returns the suspension that was lifted, if there was one. */
export async function liftSuspension(deps: OperatorDeps, accountId: number): Promise<Suspension | undefined> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const suspension = await findSuspension(tx, accountId);
    if (!suspension) return undefined;
    await deleteSuspension(tx, accountId);
    await recordChange(tx, {
      accountId,
      at: deps.clock.now(),
      actor: deps.actor ?? null,
      origin: { address: 'operator', requestId: '' },
      action: 'account.resume',
      target: { type: 'account', id: String(accountId) },
      before: { calling: false, reason: suspension.reason },
      after: { calling: true },
    });
    return suspension;
  });
}

export const suspensionRefusal = (): Refusal =>
  new Refusal(
    'CALLING_SUSPENDED',
    'Outbound calls of this account are suspended. Ask the operator of this service to check the account.',
  );
