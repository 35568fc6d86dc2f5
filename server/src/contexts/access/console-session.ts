import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import { type AuthenticateDeps, authenticate } from './authenticate.ts';
import { consoleSessionSeconds, consoleTokenName } from './console-session.rules.ts';
import { readAccountOf } from './console-session.store.ts';
import { type LogInDeps, logIn } from './log-in.ts';

export type ConsoleSessionDeps = LogInDeps & AuthenticateDeps;

/** Who sits in front of the console, and for whom. */
export interface ConsoleSession {
  user: Pick<Caller, 'uuid' | 'name' | 'email' | 'phone' | 'role' | 'locale' | 'emailVerified'>;
  account: Awaited<ReturnType<typeof readAccountOf>>;
}

/** An ordinary log-in, whose token goes into a cookie instead of the answer. */
export async function openConsoleSession(
  deps: ConsoleSessionDeps,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<{ token: string; session: ConsoleSession }> {
  const login = { ...credentials, ttl: consoleSessionSeconds, name: consoleTokenName };
  const { id: token } = await logIn(deps, login, origin);
  const caller = await authenticate(deps, token, origin);
  if (!caller) throw invalidToken();
  return { token, session: await readConsoleSession(deps, caller) };
}

export async function readConsoleSession(deps: { db: Database }, caller: Caller): Promise<ConsoleSession> {
  const account = await inAccount(deps.db, caller.accountId, (tx) => readAccountOf(tx, caller.accountId));
  return { user: caller, account };
}
