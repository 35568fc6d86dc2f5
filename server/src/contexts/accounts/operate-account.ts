import { type Database, inAccount, inTransaction, type Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { recordEvent } from '../../platform/outbox.ts';
import type { Clock } from '../../platform/time.ts';
import { deleteAllTokens } from '../access/index.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { type ConfirmLinkDeps, listAdmins } from '../users/index.ts';
import {
  type AccountFilter,
  type AccountSummary,
  approve,
  findSummaries,
  findSummary,
  setMode,
  setStatus,
} from './operator.store.ts';

/** Operations on accounts that only the operator's command line offers. */
export interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

interface StatusDeps extends OperatorDeps {
  endCalls(tx: Tx, accountId: number, at: Date): Promise<void>;
}

/** Finds an account by domain, uuid or id. */
export async function showAccount(deps: OperatorDeps, name: string): Promise<AccountSummary> {
  const key = isUuid(name)
    ? { uuid: name }
    : /^\d{1,15}$/.test(name)
      ? { id: Number(name) }
      : { domain: name.toLowerCase() };
  const account = await inTransaction(deps.db, (tx) => findSummary(tx, key));
  if (!account) throw notFound();
  return account;
}

/** Lists accounts across the service. */
export const listAccounts = (deps: OperatorDeps, filter: AccountFilter): Promise<AccountSummary[]> =>
  inTransaction(deps.db, (tx) => findSummaries(tx, filter));

/** Blocks an account: disables logins and tokens and ends its calls. Unblocking restores access. */
export const blockAccount = (deps: StatusDeps, name: string) =>
  changeStatus(deps, name, 'blocked', 'account.block');

export const unblockAccount = (deps: StatusDeps, name: string) =>
  changeStatus(deps, name, 'active', 'account.unblock');

/** Closes an account permanently: its tokens are deleted and logins disabled; its ledger stays. */
export const closeAccount = (deps: StatusDeps, name: string) =>
  changeStatus(deps, name, 'closed', 'account.close');

interface ApprovalDeps extends OperatorDeps, Pick<ConfirmLinkDeps, 'queueMail'> {
  consoleUrl: string;
}

/** Approves a new account, which may then place outbound calls, and mails its ADMINs. */
export async function approveAccount(deps: ApprovalDeps, name: string): Promise<AccountSummary> {
  const account = await showAccount(deps, name);
  if (!account.awaitsApprovalSince) throw new Error(`${account.domain} does not wait for approval.`);
  if (account.status !== 'active')
    throw new Error(`${account.domain} is ${account.status}: only an active account can be approved.`);
  const at = deps.clock.now();
  const [before, after] = [
    { awaitsApprovalSince: account.awaitsApprovalSince },
    { awaitsApprovalSince: null },
  ];
  return await change(deps, account, 'account.approve', before, after, async (tx) => {
    if (!(await approve(tx, account.id, at)))
      throw new Error(`${account.domain} was changed at the same time. Check it and try again.`);
    for (const { email, locale } of await listAdmins(tx, account.id))
      await deps.queueMail(tx, {
        to: email,
        locale,
        template: 'account-approved',
        data: { companyName: account.name, link: deps.consoleUrl },
      });
  });
}

/** Switches an account between test and live. The ledgers are separate: no credit is transferred. */
export async function switchMode(
  deps: OperatorDeps,
  name: string,
  mode: 'test' | 'live',
): Promise<AccountSummary> {
  const account = await showAccount(deps, name);
  if (account.mode === mode) throw new Error(`${account.domain} is in ${mode} mode.`);
  if (mode === 'live' && account.status !== 'active')
    throw new Error(`${account.domain} is ${account.status}: only an active account can become live.`);
  if (mode === 'live' && account.awaitsApprovalSince)
    throw new Error(`${account.domain} is not approved yet. Approve it with: disca account approve`);
  if (mode === 'live' && !account.addressProved) {
    throw new Error(
      `The e-mail address of ${account.domain}, ${account.email}, is not proved: no ADMIN who has it has logged in on the page of the confirmation link yet.`,
    );
  }
  return await change(
    deps,
    account,
    'account.mode',
    pickMode(account),
    { mode, liveRequestedAt: null },
    (tx) => setMode(tx, account.id, mode, deps.clock.now()),
  );
}

const pickMode = ({ mode, liveRequestedAt }: AccountSummary) => ({ mode, liveRequestedAt });

type Status = 'active' | 'blocked' | 'closed';

/** Allowed previous states: a sign-up is confirmed only by e-mail, and a closed account stays closed. */
const comesFrom: Record<Status, readonly string[]> = {
  active: ['blocked'],
  blocked: ['active'],
  closed: ['pending', 'active', 'blocked'],
};

async function changeStatus(deps: StatusDeps, name: string, status: Status, action: string) {
  const account = await showAccount(deps, name);
  if (!comesFrom[status].includes(account.status)) {
    throw new Error(`${account.domain} is ${account.status} and cannot become ${status}.`);
  }
  const at = deps.clock.now();
  return await change(deps, account, action, { status: account.status }, { status }, async (tx) => {
    if (!(await setStatus(tx, account, status, at))) {
      throw new Error(`${account.domain} was changed at the same time. Check it and try again.`);
    }
    if (status === 'closed') await deleteAllTokens(tx, account.id);
    if (status !== 'active') await deps.endCalls(tx, account.id, at);
    await recordEvent(tx, {
      accountId: account.id,
      type: `account-${status}`,
      subjectId: account.uuid,
      data: {},
      occurredAt: at,
    });
  });
}

async function change(
  deps: OperatorDeps,
  account: AccountSummary,
  action: string,
  before: Partial<AccountSummary>,
  after: Partial<AccountSummary>,
  work: (tx: Tx) => Promise<void>,
): Promise<AccountSummary> {
  await inAccount(deps.db, account.id, async (tx) => {
    await work(tx);
    await recordChange(tx, {
      accountId: account.id,
      at: deps.clock.now(),
      actor: deps.actor ?? null,
      origin: { address: 'operator', requestId: '' },
      action,
      target: { type: 'account', id: account.uuid },
      before,
      after,
    });
  });
  return { ...account, ...after };
}
