import type { Command } from 'commander';
import type { Actor } from '../../contexts/audit/index.ts';
import { endCallsOfAccount } from '../../contexts/calls/index.ts';
import { createMailQueue } from '../../contexts/notifications/index.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { assertOperatorRole } from '../../platform/db/role.ts';
import { createDigestKeys } from '../../platform/digest-keys.ts';
import { openJobQueue } from '../../platform/jobs.ts';
import { createKeyRing } from '../../platform/keyring.ts';
import { systemClock } from '../../platform/time.ts';
import { configSchema } from '../config.ts';
import { withFiles } from '../settings-from-files.ts';

/** Resources of a command: the database and the mailer. */
export type Operator = Awaited<ReturnType<typeof open>>;

type Work = (operator: Operator) => Promise<void>;

/** Runs one command with the rights of operators, and closes its resources afterwards. */
export const asOperator = (work: Work): Promise<void> => use('DATABASE_OPERATOR_URL', work);

/** Like `asOperator`, as the owner of the database: for commands that administer the machine. */
export const asOwner = (work: Work): Promise<void> => use('DATABASE_OWNER_URL', work);

async function use(setting: Setting, work: Work): Promise<void> {
  const operator = await open(setting);
  try {
    await work(operator);
  } finally {
    await operator.close();
  }
}

type Setting = keyof typeof notSet;

const notSet = {
  DATABASE_OPERATOR_URL:
    'DATABASE_OPERATOR_URL is not set. Add it to the settings of operator commands and run disca migrate: see docs/operate/operators.md#database-role.',
  DATABASE_OWNER_URL: 'DATABASE_OWNER_URL is not set. Set it to the role that owns the database.',
};

let actor: Actor | undefined;

/** Names the operator in the audit logs of accounts. A process runs one command, so it is set once. */
export function nameActor(name: string | undefined): void {
  actor = name === undefined ? undefined : { uuid: null, email: `operator ${name}` };
}

let isReadOnly = false;

/** Sets whether the connections of the command refuse writes. */
export function refuseWrites(refused: boolean): void {
  isReadOnly = refused;
}

const needed = configSchema.pick({
  KEY_RING: true,
  DIGEST_KEYS: true,
  CONSOLE_URL: true,
  OPERATOR_CREDIT_LIMIT: true,
  OPERATOR_CAP_FACTOR: true,
});

async function open(setting: Setting) {
  const set = withFiles(process.env, [setting, 'KEY_RING', 'DIGEST_KEYS']);
  const url = set[setting];
  if (!url) throw new Error(notSet[setting]);
  const settings = needed.safeParse(set);
  if (!settings.success)
    throw new Error(
      'KEY_RING, DIGEST_KEYS and CONSOLE_URL must be set to the same values as for the service.',
    );
  const fail = (error: Error) => process.stderr.write(`${error.message}\n`);
  const db = openDatabase(
    { url, poolSize: 2, applicationName: 'disca-cli', statementTimeoutMs: 600_000, isReadOnly },
    fail,
  );
  const jobs = await openQueue(db, setting, fail);
  const clock = systemClock;
  const keyRing = createKeyRing(settings.data.KEY_RING);
  return {
    db,
    actor,
    limits: {
      creditReais: settings.data.OPERATOR_CREDIT_LIMIT,
      capFactor: settings.data.OPERATOR_CAP_FACTOR,
    },
    clock,
    keyRing,
    digestKeys: createDigestKeys(settings.data.DIGEST_KEYS),
    jobs,
    endCalls: endCallsOfAccount,
    consoleUrl: settings.data.CONSOLE_URL,
    queueMail: createMailQueue({ jobs, keyRing, clock }),
    async close() {
      await jobs.close();
      await db.close();
    },
  };
}

/** Opens the queue of jobs, or closes the database if that, or a check of its role, fails. */
async function openQueue(db: Database, setting: Setting, fail: (error: Error) => void) {
  try {
    if (setting === 'DATABASE_OPERATOR_URL') await assertOperatorRole(db);
    return await openJobQueue(db, fail);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Adds --json for machine-readable output. */
export const withJson = (command: Command): Command => command.option('--json', 'print JSON');

export function answer(options: { json?: boolean }, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}
