import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { findSsoRule } from './sso-rule.store.ts';
import type { Owner } from './token.store.ts';

/** Whether the account of a user requires single sign-on, and the user is not exempt. */
export async function needsSso(db: Database, { accountId, userId }: Owner): Promise<boolean> {
  const rule = await inAccount(db, accountId, (tx) => findSsoRule(tx, accountId));
  return rule !== undefined && rule.exemptUserId !== userId;
}

/** Refuses to remove or demote the ADMIN who can log in without single sign-on, while the account requires it. */
export async function refuseExemptAdmin(tx: Tx, accountId: number, userId: number): Promise<void> {
  const rule = await findSsoRule(tx, accountId);
  if (rule?.exemptUserId !== userId) return;
  throw new Refusal(
    'SSO_EXEMPT_ADMIN',
    'This ADMIN can log in if single sign-on fails. Exempt another ADMIN from single sign-on first.',
  );
}

export const ssoRequired = () =>
  new Refusal('SSO_REQUIRED', 'Your account requires single sign-on. Log in to the console with it.');
