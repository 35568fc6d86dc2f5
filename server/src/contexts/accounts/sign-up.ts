import type { Origin } from '../../platform/caller.ts';
import {
  type Database,
  enterAccount,
  inAccount,
  inTransaction,
  type Tx,
} from '../../platform/db/database.ts';
import { type Fault, invalid } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { findLogin, isEmailHeld, type Passwords } from '../access/index.ts';
import { recordChange } from '../audit/index.ts';
import { addUser, type ConfirmLinkDeps, confirmationLink, type User } from '../users/index.ts';
import { domainExists, duplicateDomain, insertAccount, nextAccountId } from './account.store.ts';

export interface SignUpDeps extends ConfirmLinkDeps {
  db: Database;
  passwords: Passwords;
  consoleUrl: string;
  /** Whether the operator has to approve new accounts. */
  needsApproval: boolean;
}

export interface SignUp {
  organizationName: string;
  /** Name of the first user; by default that of the organization. */
  name?: string | undefined;
  domain: string;
  email: string;
  password: string;
  phone: string;
  crm: string;
  userQuantity: string;
  locale: User['locale'];
}

/** Creates the account and its first ADMIN, and e-mails the link that activates both. */
export async function signUp(deps: SignUpDeps, input: SignUp, origin: Origin): Promise<void> {
  const passwordHash = await deps.passwords.hash(input.password);
  const faults = await inTransaction(deps.db, async (tx) => {
    // Both duplicates in one response. Concurrent sign-ups are caught by the unique indexes.
    const duplicates = await findDuplicates(tx, input, deps.clock.now());
    if (duplicates.length > 0) return duplicates;
    const user = await createAccount(tx, deps, input, passwordHash, origin);
    await mailWelcome(tx, deps, user, input.organizationName);
    return [];
  });
  if (faults.some(({ path }) => path === 'email')) await mailOwner(deps, input.email);
  if (faults.length > 0) throw invalid(...faults);
}

/** Notifies the owner of an address that is in use of the attempt; the mail limit lets one mail per day through. */
async function mailOwner(deps: SignUpDeps, email: string): Promise<void> {
  const login = await findLogin(deps.db, email, '', deps.clock.now());
  if (login?.account_status !== 'active' || login.email.toLowerCase() !== email.toLowerCase()) return;
  await inAccount(deps.db, login.account_id, (tx) =>
    deps.queueMail(tx, {
      to: login.email,
      locale: login.locale,
      template: 'sign-up-refused',
      data: { link: `${deps.consoleUrl}/login` },
    }),
  );
}

async function findDuplicates(tx: Tx, { domain, email }: Partial<SignUp>, at: Date): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (domain !== undefined && (await domainExists(tx, domain))) faults.push(duplicateDomain);
  if (email !== undefined && (await isEmailHeld(tx, email, at))) {
    faults.push({ path: 'email', code: 'duplicate', message: '`email` is already in use.' });
  }
  return faults;
}

/** Finds the duplicates in a sign-up whose other fields are invalid. */
export async function duplicatesOf(
  deps: SignUpDeps,
  input: Pick<Partial<SignUp>, 'domain' | 'email'>,
): Promise<Fault[]> {
  const { db, clock } = deps;
  const faults = await inTransaction(db, (tx) => findDuplicates(tx, input, clock.now()));
  if (input.email !== undefined && faults.some(({ path }) => path === 'email'))
    await mailOwner(deps, input.email);
  return faults;
}

async function createAccount(
  tx: Tx,
  deps: SignUpDeps,
  input: SignUp,
  passwordHash: string,
  origin: Origin,
): Promise<User> {
  const at = deps.clock.now();
  const { domain, email, phone, crm, userQuantity, locale, organizationName: name } = input;
  const id = await nextAccountId(tx);
  const uuid = uuidv7(at);
  await enterAccount(tx, id);
  await insertAccount(tx, {
    id,
    uuid,
    domain,
    name,
    email,
    phone,
    crm,
    userQuantity,
    awaitsApproval: deps.needsApproval,
    at,
  });
  const user = await addUser(tx, {
    accountId: id,
    name: input.name ?? name,
    email,
    phone,
    role: 'ADMIN',
    locale,
    emailByAdmin: null,
    passwordHash,
    at,
  });
  await recordChange(tx, {
    accountId: id,
    at,
    actor: user,
    origin,
    action: 'account.signup',
    target: { type: 'account', id: uuid },
    after: { domain, name, email, phone, crm, userQuantity },
  });
  return user;
}

type Addressee = Pick<User, 'uuid' | 'email' | 'locale'>;

export async function mailWelcome(
  tx: Tx,
  deps: ConfirmLinkDeps,
  user: Addressee,
  companyName: string,
): Promise<void> {
  await deps.queueMail(tx, {
    to: user.email,
    locale: user.locale,
    template: 'confirm-email',
    data: { companyName, link: confirmationLink(deps, user) },
  });
}
