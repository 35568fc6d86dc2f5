import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time.ts';
import { isEmailHeld, type Passwords } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { requireLeft, spendBudget } from '../limits/index.ts';
import { lockAdminsFor } from './admins.ts';
import { type ConfirmLinkDeps, mailConfirmation } from './confirm-email.ts';
import { takeInvitation } from './invitations/invitation.store.ts';
import type { LinkExtensions } from './link-extensions.ts';
import { refuseScopedRights } from './scoped-rights.ts';
import { requireSeat } from './seats.ts';
import { duplicateEmail, insertUser } from './user.store.ts';
import { auditView, type User } from './user.ts';

export interface CreateUserDeps extends ConfirmLinkDeps {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  linkExtensions: LinkExtensions;
}

export interface NewUser {
  name: string;
  email: string;
  phone: string;
  password: string;
  role: User['role'];
  locale?: User['locale'] | undefined;
}

/**
 * Creates a user, who can log in immediately and owns the extensions with the same e-mail. Confirming the address
 * enables password resets. An open invitation of the address becomes the user, with the role of the request.
 */
export async function createUser(deps: CreateUserDeps, caller: Caller, input: NewUser): Promise<User> {
  refuseScopedRights(caller, undefined, input);
  await requireBudgets(deps, caller, input.email);
  const passwordHash = await deps.passwords.hash(input.password);
  const now = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    await requireSeat(tx, caller.accountId, input.email);
    if (await isEmailHeld(tx, input.email, now)) throw invalid(duplicateEmail);
    const invitation = await takeInvitation(tx, caller.accountId, input.email);
    const user = await addUser(tx, {
      ...input,
      uuid: invitation?.uuid,
      accountId: caller.accountId,
      locale: input.locale ?? (caller.locale as User['locale']),
      emailByAdmin: input.email,
      passwordHash,
      at: now,
    });
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'user.create',
      target: { type: 'user', id: user.uuid },
      after: auditView(user),
    });
    await deps.linkExtensions(tx, caller, user, now);
    await spendBudget(tx, caller.accountId, 'mails', 1, now);
    await mailConfirmation(tx, deps, user);
    return user;
  });
}

/** Refuses what the budgets do not allow before the password is hashed, which costs more than all the rest. */
async function requireBudgets(
  { db, clock }: CreateUserDeps,
  { accountId }: Caller,
  email: string,
): Promise<void> {
  await inAccount(db, accountId, async (tx) => {
    await requireSeat(tx, accountId, email);
    const at = clock.now();
    if (!(await isEmailHeld(tx, email, at))) await requireLeft(tx, accountId, 'mails', 1, at);
  });
}

/** Returns the faults of a new user that only the database can detect. */
export async function faultsOfNewUser(
  { db, clock }: CreateUserDeps,
  { accountId }: Caller,
  email: string | undefined,
): Promise<Fault[]> {
  if (email === undefined) return [];
  return await inAccount(db, accountId, async (tx) =>
    (await isEmailHeld(tx, email, clock.now())) ? [duplicateEmail] : [],
  );
}

interface UserToAdd {
  /** That of the invitation which the user had; new by default. */
  uuid?: string | undefined;
  accountId: number;
  name: string;
  email: string;
  phone: string;
  role: User['role'];
  locale: User['locale'];
  emailByAdmin: User['emailByAdmin'];
  passwordHash: string;
  /** Unverified unless stated otherwise. */
  emailVerified?: boolean;
  at: Date;
}

export async function addUser(tx: Tx, user: UserToAdd): Promise<User> {
  const { at, uuid = uuidv7(at), emailVerified = false, ...rest } = user;
  return await insertUser(tx, {
    ...rest,
    uuid,
    emailVerified,
    createdAt: at,
    updatedAt: at,
  });
}
