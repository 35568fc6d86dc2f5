import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';

/** The file of the operator's session, beside the logins of integrators. */
export const operatorSessionFile = (): string =>
  join(
    env.DISCA_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'disca'),
    'operator-session',
  );

/** Returns DISCA_OPERATOR_TOKEN, or the token of the last login. */
export function readOperatorToken(): string | undefined {
  if (env.DISCA_OPERATOR_TOKEN) return env.DISCA_OPERATOR_TOKEN;
  try {
    return readFileSync(operatorSessionFile(), 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writeOperatorToken(token: string): void {
  const file = operatorSessionFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

export const removeOperatorToken = (): void => rmSync(operatorSessionFile(), { force: true });
