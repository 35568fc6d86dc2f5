import { addressesOf } from '../contexts/access/index.ts';
import { eraseFromAccount } from '../contexts/accounts/index.ts';
import { type Actor, eraseEntries, recordChange } from '../contexts/audit/index.ts';
import { eraseHolds } from '../contexts/billing/index.ts';
import { eraseCallerIds } from '../contexts/caller-ids/index.ts';
import { eraseCalls } from '../contexts/calls/index.ts';
import { eraseFromFinancial } from '../contexts/charges/index.ts';
import { eraseFromExtensions } from '../contexts/extensions/index.ts';
import { integrationsOf } from '../contexts/integrations/index.ts';
import {
  eraseAccessesFrom,
  eraseAccessesTo,
  eraseRecordings,
  type RecordingStorage,
  removeErasedFiles,
} from '../contexts/recordings/index.ts';
import { eraseRequests } from '../contexts/requests/index.ts';
import { eraseUser, listAdmins, type User } from '../contexts/users/index.ts';
import { deleteAttemptsOf, eraseResponses, eraseResponsesTo } from '../contexts/webhooks/index.ts';
import { type Database, inAccount, type Tx } from '../platform/db/database.ts';
import { erasedText, type Person } from '../platform/erased.ts';
import type { Clock } from '../platform/time.ts';

export interface ErasePersonDeps {
  actor?: Actor | undefined;
  /** With the rights of operators, because the service may not rewrite events and audit entries. */
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
}

export interface Erasure {
  users: number;
  /** Accounts and financial accounts of which the person was a contact. */
  accounts: number;
  financialAccounts: number;
  extensions: number;
  callerIds: number;
  calls: number;
  contacts: number;
  events: number;
  recordings: number;
  holds: number;
  /** Responses of webhook endpoints, which may repeat what was sent to them. */
  webhookResponses: number;
  auditEntries: number;
  requests: number;
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
  const people = await inAccount(deps.db, accountId, async (tx) => {
    const users = await eraseUser(tx, accountId, person, (user) => eraseTraces(tx, user));
    const [admin] = await listAdmins(tx, accountId);
    return {
      ...users,
      accounts: await eraseFromAccount(tx, accountId, person, admin?.email ?? erasedText),
      financialAccounts: await eraseFromFinancial(tx, accountId, person),
      extensions: await eraseFromExtensions(tx, accountId, person),
      callerIds: phone === undefined ? 0 : await eraseCallerIds(tx, accountId, phone),
      // With the users: afterwards their requests could no longer be found by e-mail.
      requests: await eraseRequests(tx, accountId, person, users.removed),
    };
  });
  const { recordings, responses, ...calls } = await eraseCallsAndRecordings(deps, accountId, person, at);
  const targets = [
    ...people.removed.map((id) => ({ type: 'user', id })),
    ...people.extensions.map((id) => ({ type: 'extension', id: String(id) })),
  ];
  const erasure: Erasure = {
    users: people.users,
    accounts: people.accounts,
    financialAccounts: people.financialAccounts,
    extensions: people.extensions.length,
    callerIds: people.callerIds,
    ...calls,
    recordings,
    holds: phone === undefined ? 0 : await eraseHolds(deps, accountId, phone),
    webhookResponses: responses + (await eraseResponses(deps, accountId, person)),
    auditEntries: await eraseEntries(deps, accountId, person, { userUuids: people.removed, targets }),
    requests: people.requests,
  };
  await inAccount(deps.db, accountId, (tx) =>
    recordChange(tx, {
      accountId,
      at,
      actor: deps.actor ?? null,
      origin: { address: 'operator', requestId: '' },
      action: 'person.erase',
      target: { type: 'person', id: erasedText },
      after: { ...erasure },
    }),
  );
  return erasure;
}

async function eraseCallsAndRecordings(deps: ErasePersonDeps, accountId: number, person: Person, at: Date) {
  let [recordings, responses] = [0, 0];
  const calls = await eraseCalls(deps, accountId, person, {
    async within(tx, { callIds, eventIds }) {
      // Users listen to the recordings of their own calls; the called party does not.
      if ('email' in person) await eraseAccessesTo(tx, accountId, callIds);
      return {
        recordings: await eraseRecordings(tx, accountId, callIds, at),
        responses: await eraseResponsesTo(tx, accountId, eventIds),
      };
    },
    async afterwards(callIds, erased) {
      recordings += erased.recordings;
      responses += erased.responses;
      await removeErasedFiles(deps, accountId, callIds);
    },
  });
  return { ...calls, recordings, responses };
}

/** Erases what can only be found while the user exists. */
async function eraseTraces(tx: Tx, { id: userId, accountId }: User): Promise<void> {
  await eraseAccessesFrom(tx, accountId, await addressesOf(tx, accountId, userId));
  const integrations = await integrationsOf(tx, { accountId, userId });
  await deleteAttemptsOf(
    tx,
    accountId,
    integrations.map(({ id }) => id),
  );
}
