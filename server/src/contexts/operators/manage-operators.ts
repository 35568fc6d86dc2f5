import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { secondsAfter } from '../../platform/time.ts';
import type { QueueMail } from '../notifications/index.ts';
import { appendLog, lockLog, wasSetUp } from './log.store.ts';
import { setUpSeconds } from './operator.rules.ts';
import {
  deleteOperators,
  deleteSessions,
  findOperators,
  insertOperator,
  lockOperator,
  type StoredOperator,
  updateOperator,
} from './operator.store.ts';
import type { OperatorRole, OperatorSummary } from './operator.ts';
import { hashOf, newSecret } from './secret.ts';

export interface ManageDeps {
  db: Database;
  clock: Clock;
  queueMail: QueueMail;
}

export interface NewOperator {
  name: string;
  email: string;
  role: OperatorRole;
}

export const listOperators = ({ db }: Pick<ManageDeps, 'db'>): Promise<OperatorSummary[]> =>
  inTransaction(db, findOperators);

/**
 * Adds the first two operators together: with one, that person could add the second identity and approve their own
 * commands. May be repeated, such as with other addresses, until one of them has chosen a password.
 */
export const bootstrapOperators = (
  deps: ManageDeps,
  operators: NewOperator[],
  reason: string,
): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    await lockLog(tx);
    if (await wasSetUp(tx))
      throw new Error('There are operators already: they add others with disca operators add.');
    const [first, second] = operators;
    if (first?.name === second?.name || first?.email.toLowerCase() === second?.email.toLowerCase())
      throw new Error(
        'The first two operators must be two people, with different names and e-mail addresses.',
      );
    await deleteOperators(tx);
    for (const operator of operators) {
      const { name, email, role } = operator;
      const entry = { command: 'operators bootstrap', target: name, reason, details: { email, role } };
      await appendLog(tx, { at: deps.clock.now(), operator: 'machine', role: 'owner', ...entry });
      await insert(tx, deps, operator);
    }
  });

/** Adds an operator, and mails them the code with which they choose a password and add their app. */
export const addOperator = (deps: ManageDeps, operator: NewOperator): Promise<void> =>
  inTransaction(deps.db, (tx) => insert(tx, deps, operator));

async function insert(tx: Tx, deps: ManageDeps, operator: NewOperator): Promise<void> {
  if (!/^[a-z][a-z0-9-]{1,29}$/.test(operator.name))
    throw new Error('The name must have 2 to 30 lower-case letters, digits and hyphens.');
  if (await lockOperator(tx, operator.name))
    throw new Error(`There is already an operator ${operator.name}.`);
  await insertOperator(tx, { ...operator, at: deps.clock.now() });
  await mailCode(tx, deps, await existing(tx, operator.name));
}

/**
 * Removes password, app and sessions of an operator who lost them, and mails a new set-up code to the address that they
 * were added with. The name keeps its history in the log.
 */
export const resetOperator = (deps: ManageDeps, name: string): Promise<{ email: string }> =>
  inTransaction(deps.db, async (tx) => {
    const operator = await existing(tx, name);
    await updateOperator(tx, operator.id, { password_hash: null, totp_sealed: null, disabled_at: null });
    await deleteSessions(tx, operator.id);
    await mailCode(tx, deps, operator);
    return { email: operator.email };
  });

/** Returns whether an operator waits for the code of their first set-up: a new one replaces no password and no app. */
export async function awaitsSetUp(tx: Tx, name: string): Promise<boolean> {
  const operator = await lockOperator(tx, name);
  return operator !== undefined && operator.disabled_at === null && !(await wasSetUp(tx, name));
}

export const disableOperator = (
  { db, clock }: Pick<ManageDeps, 'db' | 'clock'>,
  name: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const operator = await existing(tx, name);
    await updateOperator(tx, operator.id, {
      disabled_at: clock.now(),
      password_hash: null,
      totp_sealed: null,
      setup_hash: null,
    });
    await deleteSessions(tx, operator.id);
  });

/** The code is in the mail only: an operator who saw that of another one could act under both names. */
async function mailCode(tx: Tx, { clock, queueMail }: ManageDeps, operator: StoredOperator): Promise<void> {
  const code = newSecret();
  await updateOperator(tx, operator.id, {
    setup_hash: hashOf(code),
    setup_expires_at: secondsAfter(clock.now(), setUpSeconds),
    failures: 0,
    held_until: null,
  });
  const { name, email } = operator;
  await queueMail(tx, { to: email, locale: 'en', template: 'operator-code', data: { name, code } });
}

async function existing(tx: Tx, name: string): Promise<StoredOperator> {
  const operator = await lockOperator(tx, name);
  if (!operator) throw new Error(`There is no operator ${name}. List them with: disca operators list`);
  return operator;
}
