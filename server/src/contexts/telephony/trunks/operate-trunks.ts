import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inTransaction } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { KeyRing } from '../../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { refuseFaultyLogins, refuseFaultyTrunk, testNumber, testTakenWithinSeconds } from './trunk.rules.ts';
import {
  deleteTrunk,
  findTrunk,
  findTrunks,
  insertTrunk,
  setEnabled,
  updateConnection,
} from './trunk.store.ts';
import type { SealedLogin, Trunk, TrunkLogin } from './trunk.ts';
import { sealLogin } from './trunk-login.ts';
import {
  deleteOldTrunkTests,
  findTrunkTest,
  insertTrunkTest,
  type TrunkTestOutcome,
} from './trunk-test.store.ts';

/** Operator commands for trunks; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
}

interface SealingDeps extends OperatorDeps {
  keyRing: KeyRing;
}

/** A trunk with readable passwords. */
export type NewTrunk = Omit<Trunk, 'id' | 'changedAt' | 'outboundLogin' | 'inboundLogin'> & TrunkLogins;

interface TrunkLogins {
  outboundLogin: TrunkLogin | null;
  inboundLogin: TrunkLogin | null;
}

export async function addTrunk(deps: SealingDeps, trunk: NewTrunk): Promise<void> {
  refuseFaultyTrunk(trunk);
  refuseFaultyLogins(trunk);
  const sealed = { ...trunk, ...sealLogins(deps, trunk) };
  const isNew = await inTransaction(deps.db, (tx) => insertTrunk(tx, sealed, deps.clock.now()));
  if (!isNew) throw new Refusal('VALIDATION_ERROR', `A trunk named ${trunk.name} already exists.`);
}

/** What can be changed of a trunk; a login of null removes it. */
type TrunkChange = Partial<Pick<Trunk, 'address' | 'transport' | 'srtp'> & TrunkLogins>;

/** Changes how a trunk is reached and protected. New calls follow within seconds. */
export async function setTrunk(deps: SealingDeps, name: string, change: TrunkChange): Promise<Trunk> {
  refuseFaultyLogins(change);
  return await inTransaction(deps.db, async (tx) => {
    const trunk = await findTrunk(tx, name);
    if (!trunk) throw noSuchTrunk(name);
    const sealed = sealLogins(deps, { ...trunk, ...change });
    const changed = { ...trunk, ...change, ...sealed, changedAt: deps.clock.now() };
    refuseFaultyTrunk(changed);
    await updateConnection(tx, trunk.id, changed);
    return changed;
  });
}

/** Seals the passwords that are readable. */
const sealLogins = (
  { keyRing }: SealingDeps,
  trunk: Record<keyof TrunkLogins, TrunkLogin | SealedLogin | null>,
) => ({
  outboundLogin: sealedOf(keyRing, trunk.outboundLogin),
  inboundLogin: sealedOf(keyRing, trunk.inboundLogin),
});

const sealedOf = (keyRing: KeyRing, login: TrunkLogin | SealedLogin | null): SealedLogin | null =>
  login && 'password' in login ? sealLogin(keyRing, login) : login;

export const listTrunks = (deps: OperatorDeps): Promise<Trunk[]> => findTrunks(deps.db);

/** Enables or disables a trunk. New calls follow within seconds; running calls are not affected. */
export async function switchTrunk(deps: OperatorDeps, name: string, enabled: boolean): Promise<void> {
  if (!(await inTransaction(deps.db, (tx) => setEnabled(tx, name, enabled)))) throw noSuchTrunk(name);
}

export async function removeTrunk(deps: OperatorDeps, name: string): Promise<void> {
  if (!(await inTransaction(deps.db, (tx) => deleteTrunk(tx, name)))) throw noSuchTrunk(name);
}

const noSuchTrunk = (name: string) => new Refusal('VALIDATION_ERROR', `No trunk named ${name}.`);

export interface TestResult {
  outcome: TrunkTestOutcome | 'not-taken' | 'no-result';
  detail: string;
}

const testEndsWithinSeconds = 90;
const pollEveryMs = 250;
const keptSeconds = 24 * 3600;

/** Requests a short test call over this trunk from a voice process and waits for the result. Works for disabled trunks. */
export async function testTrunk(deps: OperatorDeps, name: string, number: string): Promise<TestResult> {
  const id = uuidv7(deps.clock.now());
  const digits = testNumber(number);
  await inTransaction(deps.db, async (tx) => {
    const trunk = await findTrunk(tx, name);
    if (!trunk) throw noSuchTrunk(name);
    const at = deps.clock.now();
    await deleteOldTrunkTests(tx, secondsAfter(at, -keptSeconds));
    await insertTrunkTest(tx, { id, trunkId: trunk.id, number: digits }, at);
  });
  return await waitForResult(deps, id);
}

async function waitForResult({ db }: OperatorDeps, id: string): Promise<TestResult> {
  const began = performance.now();
  const waitedSeconds = () => (performance.now() - began) / 1000;
  while (waitedSeconds() < testEndsWithinSeconds) {
    const test = await findTrunkTest(db, id);
    if (!test) throw new Refusal('VALIDATION_ERROR', 'The trunk was removed during the test.');
    if (test.outcome) return { outcome: test.outcome, detail: test.detail };
    if (!test.isTaken && waitedSeconds() > testTakenWithinSeconds) {
      return {
        outcome: 'not-taken',
        detail: 'No voice process with a connected media node accepted the test call.',
      };
    }
    await sleep(pollEveryMs);
  }
  return { outcome: 'no-result', detail: `No result after ${testEndsWithinSeconds} s.` };
}
