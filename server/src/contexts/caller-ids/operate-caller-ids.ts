import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import {
  callerIdFromRow,
  deleteCallerId,
  findCallerIdByNumber,
  findMode,
  saveOwned,
  selectCallerIds,
} from './caller-id.store.ts';
import type { CallerId } from './caller-id.ts';

/** Operator commands for caller IDs; CLI only, always in the account's current mode. */
export interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

/** Assigns a number without a code. An assigned number stays with the account even if another account verifies it. */
export async function assignCallerId(
  deps: OperatorDeps,
  accountId: number,
  number: string,
): Promise<CallerId> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const at = deps.clock.now();
    const mode = await findMode(tx, accountId);
    const callerId = await saveOwned(tx, { accountId, mode, number, at }, 'operator');
    await recordOperation(tx, deps, accountId, 'callerId.assign', callerId);
    return callerId;
  });
}

export async function unassignCallerId(
  deps: OperatorDeps,
  accountId: number,
  number: string,
): Promise<CallerId> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const callerId = await findCallerIdByNumber(tx, accountId, number);
    if (!callerId) throw new Refusal('VALIDATION_ERROR', `The account does not have the number ${number}.`);
    await deleteCallerId(tx, accountId, callerId.id);
    await recordOperation(tx, deps, accountId, 'callerId.remove', callerId);
    return callerId;
  });
}

const maxListed = 10_000;

export async function readCallerIds(deps: OperatorDeps, accountId: number): Promise<CallerId[]> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const rows = await selectCallerIds(tx, accountId).orderBy('number').limit(maxListed).execute();
    return rows.map(callerIdFromRow);
  });
}

async function recordOperation(
  tx: Tx,
  deps: OperatorDeps,
  accountId: number,
  action: string,
  { id, number }: CallerId,
): Promise<void> {
  await recordChange(tx, {
    accountId,
    at: deps.clock.now(),
    actor: deps.actor ?? null,
    origin: { address: 'operator', requestId: '' },
    action,
    target: { type: 'callerId', id: String(id) },
    ...(action === 'callerId.assign' ? { after: { number } } : { before: { number } }),
  });
}
