import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { secondsAfter } from '../../platform/time.ts';
import { setUpSeconds } from './operator.rules.ts';
import {
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
}

export interface NewOperator {
  name: string;
  email: string;
  role: OperatorRole;
}

export const listOperators = ({ db }: Pick<ManageDeps, 'db'>): Promise<OperatorSummary[]> =>
  inTransaction(db, findOperators);

/** Adds an operator, and returns the code with which they choose a password and add their app. */
export const addOperator = ({ db, clock }: ManageDeps, operator: NewOperator): Promise<string> =>
  inTransaction(db, async (tx) => {
    if (!/^[a-z][a-z0-9-]{1,29}$/.test(operator.name))
      throw new Error('The name must have 2 to 30 lower-case letters, digits and hyphens.');
    if (await lockOperator(tx, operator.name))
      throw new Error(`There is already an operator ${operator.name}.`);
    await insertOperator(tx, { ...operator, at: clock.now() });
    return await newCode(tx, await existing(tx, operator.name), clock.now());
  });

/**
 * Removes password, app and sessions of an operator who lost them, and returns a new set-up code. The name keeps its
 * history in the log.
 */
export const resetOperator = ({ db, clock }: ManageDeps, name: string): Promise<string> =>
  inTransaction(db, async (tx) => {
    const operator = await existing(tx, name);
    await updateOperator(tx, operator.id, { password_hash: null, totp_sealed: null, disabled_at: null });
    await deleteSessions(tx, operator.id);
    return await newCode(tx, operator, clock.now());
  });

export const disableOperator = ({ db, clock }: ManageDeps, name: string): Promise<void> =>
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

async function newCode(tx: Tx, { id }: StoredOperator, at: Date): Promise<string> {
  const code = newSecret();
  await updateOperator(tx, id, {
    setup_hash: hashOf(code),
    setup_expires_at: secondsAfter(at, setUpSeconds),
    failures: 0,
    held_until: null,
  });
  return code;
}

async function existing(tx: Tx, name: string): Promise<StoredOperator> {
  const operator = await lockOperator(tx, name);
  if (!operator) throw new Error(`There is no operator ${name}. List them with: disca operators list`);
  return operator;
}
