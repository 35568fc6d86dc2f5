import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import type { KeyRing } from '../../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import type { QueueMail } from '../../notifications/index.ts';
import { findInvitationAccount } from './invitation.store.ts';
import type { Invitation } from './invitation.ts';

export interface InvitationLinkDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
}

export interface MailInvitationDeps {
  keyRing: KeyRing;
  queueMail: QueueMail;
  consoleUrl: string;
}

const purpose = 'invitation';
const linkLifetimeSeconds = 72 * 3600;

export const invitationExpiry = (sentAt: Date): Date => secondsAfter(sentAt, linkLifetimeSeconds);

/** Mails the link to the invited person. It opens a page and changes nothing, because mail scanners open links. */
export async function mailInvitation(
  tx: Tx,
  { keyRing, queueMail, consoleUrl }: MailInvitationDeps,
  { accountId, uuid, email, locale, expiresAt }: Invitation,
  inviterName: string,
): Promise<void> {
  const { name: companyName } = await findCompany(tx, accountId);
  const token = keyRing.sign(purpose, { invitation: uuid, email }, expiresAt);
  await queueMail(tx, {
    to: email,
    locale,
    template: 'invitation',
    data: { companyName, inviterName, link: `${consoleUrl}/invitation?token=${token}` },
  });
}

/** Runs `use` in the account of the invitation that the token of a mailed link names. */
export async function withInvitation<Result>(
  { db, clock, keyRing }: InvitationLinkDeps,
  token: string,
  use: (tx: Tx, named: { accountId: number; uuid: string }) => Promise<Result>,
): Promise<Result> {
  const verified = keyRing.verify(purpose, token, clock.now());
  if (verified.state !== 'valid') throw deadLink();
  const uuid = String(verified.payload.invitation);
  const accountId = await findInvitationAccount(db, uuid);
  if (accountId === undefined) throw deadLink();
  return await inAccount(db, accountId, async (tx) => {
    const { status } = await findCompany(tx, accountId);
    if (status !== 'active') throw deadLink();
    return await use(tx, { accountId, uuid });
  });
}

export const deadLink = () =>
  invalid({
    path: 'token',
    code: 'invalid_token',
    message: '`token` is invalid, expired or already used.',
  });

export async function findCompany(tx: Tx, accountId: number): Promise<{ name: string; status: string }> {
  const { name, status } = await tx
    .selectFrom('account_info')
    .select(['name', 'status'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { name: name ?? '', status: status ?? '' };
}
