import { hostname, userInfo } from 'node:os';
import { env } from 'node:process';
import type { Command } from 'commander';
import { appendLog, findOperator } from '../../contexts/operators/index.ts';
import { inTransaction, openDatabase } from '../../platform/db/database.ts';
import { systemClock } from '../../platform/time.ts';
import { withFiles } from '../settings-from-files.ts';
import { readOperatorToken } from './operator-session.ts';

/** A key is also made before there is a database. */
const connectMs = 5_000;

/**
 * Writes a command that administers the machine to the operator log, after it ran: before, the database may be another
 * one, or none. The command does not need the log, so an entry that cannot be written is reported and not an error.
 */
export async function logMachineAct(path: string, command: Command): Promise<void> {
  const { reason, json: _, startCommand: __, dryRun, ...details } = command.opts<Record<string, unknown>>();
  if (dryRun) return;
  try {
    await append(path, typeof reason === 'string' ? reason : '', {
      ...details,
      ...(command.args.length > 0 ? { arguments: command.args } : {}),
    });
  } catch (error) {
    process.stderr.write(`disca ${path} is not in the operator log: ${(error as Error).message}\n`);
  }
}

async function append(command: string, reason: string, details: object): Promise<void> {
  const { DATABASE_OWNER_URL: url } = withFiles(process.env, ['DATABASE_OWNER_URL']);
  if (!url) throw new Error('DATABASE_OWNER_URL is not set.');
  const options = {
    url,
    poolSize: 1,
    applicationName: 'disca-cli',
    statementTimeoutMs: 60_000,
    maxWaitMs: connectMs,
  };
  const db = openDatabase(options, () => undefined);
  try {
    const token = readOperatorToken();
    const who = token ? await findOperator({ db, clock: systemClock }, token) : undefined;
    await inTransaction(db, (tx) =>
      appendLog(tx, {
        at: systemClock.now(),
        operator: who?.name ?? 'machine',
        role: who?.role ?? 'owner',
        command,
        target: '',
        reason: reason.trim() || 'not given',
        details: { ...details, user: env.SUDO_USER ?? userInfo().username, host: hostname() },
      }),
    );
  } finally {
    await db.close();
  }
}
