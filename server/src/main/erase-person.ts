import { eraseEntries, recordChange } from '../contexts/audit/index.ts';
import { eraseHolds } from '../contexts/billing/index.ts';
import { eraseCallerIds } from '../contexts/caller-ids/index.ts';
import { eraseCalls } from '../contexts/calls/index.ts';
import { eraseFromExtensions } from '../contexts/extensions/index.ts';
import { eraseRecordings, type RecordingStorage, removeErasedFiles } from '../contexts/recordings/index.ts';
import { eraseUser } from '../contexts/users/index.ts';
import { type Database, inAccount } from '../platform/db/database.ts';
import { erasedText, type Person } from '../platform/erased.ts';
import type { Clock } from '../platform/time.ts';

export interface ErasePersonDeps {
  /** Connected as the owner, because the service role may not rewrite events and audit entries. */
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
}

export interface Erasure {
  users: number;
  extensions: number;
  callerIds: number;
  calls: number;
  events: number;
  recordings: number;
  holds: number;
  auditEntries: number;
  /** Calls of the person that have not ended. The erasure must be repeated after they end. */
  runningCalls: number;
}

/**
 * Erases a person from an account: replaces names and numbers and removes recordings; keeps money, counts and times.
 * Safe to repeat, even after an interruption.
 */
export async function erasePerson(
  deps: ErasePersonDeps,
  accountId: number,
  person: Person,
): Promise<Erasure> {
  const at = deps.clock.now();
  const phone = 'phone' in person ? person.phone : undefined;
  const people = await inAccount(deps.db, accountId, async (tx) => ({
    ...(await eraseUser(tx, accountId, person)),
    extensions: await eraseFromExtensions(tx, accountId, person),
    callerIds: phone === undefined ? 0 : await eraseCallerIds(tx, accountId, phone),
  }));
  const { recordings, ...calls } = await eraseCallsAndRecordings(deps, accountId, person, at);
  const targets = [
    ...people.removed.map((id) => ({ type: 'user', id })),
    ...people.extensions.map((id) => ({ type: 'extension', id: String(id) })),
  ];
  const erasure: Erasure = {
    users: people.users,
    extensions: people.extensions.length,
    callerIds: people.callerIds,
    ...calls,
    recordings,
    holds: phone === undefined ? 0 : await eraseHolds(deps, accountId, phone),
    auditEntries: await eraseEntries(deps, accountId, person, targets),
  };
  await inAccount(deps.db, accountId, (tx) =>
    recordChange(tx, {
      accountId,
      at,
      actor: null,
      origin: { address: 'operator', requestId: '' },
      action: 'person.erase',
      target: { type: 'person', id: erasedText },
      after: { ...erasure },
    }),
  );
  return erasure;
}

async function eraseCallsAndRecordings(deps: ErasePersonDeps, accountId: number, person: Person, at: Date) {
  let recordings = 0;
  const calls = await eraseCalls(deps, accountId, person, {
    async within(tx, callIds) {
      recordings += await eraseRecordings(tx, accountId, callIds, at);
    },
    afterwards: (callIds) => removeErasedFiles(deps, accountId, callIds),
  });
  return { ...calls, recordings };
}
