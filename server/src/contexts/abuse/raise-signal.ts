import { type Database, inAccount } from '../../platform/db/database.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChange } from '../audit/index.ts';
import { endCalls, suspendCalling } from '../calls/index.ts';
import { explain } from './explain.rules.ts';
import { type MailDeps, mailAdmins } from './mail-admins.ts';
import { insertSignal } from './signal.store.ts';
import { type Signal, type SignalAction, type SignalKind, signalActions } from './signals.rules.ts';

export interface AbuseObserver {
  signalRaised(kind: SignalKind, action: SignalAction): void;
}

export interface RaiseDeps extends MailDeps {
  db: Database;
  clock: Clock;
  observer: AbuseObserver;
  /** Actions other than those of the table, by the operator's choice. */
  actions: Partial<Record<SignalKind, SignalAction | 'off'>>;
}

/**
 * Stores a signal, writes it to the account's audit log and mails its ADMINs. One that suspends also refuses new
 * outbound calls, and ends the running ones that are part of it.
 */
export async function raiseSignal(deps: RaiseDeps, accountId: number, signal: Signal): Promise<void> {
  const { facts } = signal;
  const { kind } = facts;
  const action = deps.actions[kind] ?? signalActions[kind];
  if (action === 'off') return;
  const explanation = explain(facts);
  const at = deps.clock.now();
  const isNew = await inAccount(deps.db, accountId, async (tx) => {
    if (!(await insertSignal(tx, accountId, { id: uuidv7(at), kind, action, explanation, at }))) return false;
    await recordChange(tx, {
      accountId,
      at,
      actor: null,
      origin: { address: 'system', requestId: '' },
      action: 'account.signal',
      target: { type: 'account', id: String(accountId) },
      before: undefined,
      after: { kind, action, explanation },
    });
    if (action === 'suspend') {
      await suspendCalling(tx, { accountId, reason: `${kind}: ${explanation}`, at });
      await endCalls(tx, accountId, signal.running, at);
    }
    await mailAdmins(tx, deps, accountId, { facts, isSuspended: action === 'suspend', at });
    return true;
  });
  if (isNew) deps.observer.signalRaised(kind, action);
}
