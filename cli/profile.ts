import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { CliError } from './cli-error.ts';

/** A stored login, under a name chosen by the user. */
export interface Profile {
  baseUrl: string;
  token: string;
  email: string;
}

export type Profiles = Record<string, Profile>;

export const usualProfile = 'default';

export const profilesFile = (): string =>
  join(
    env.DISCA_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'disca'),
    'profiles.json',
  );

export function readProfiles(): Profiles {
  let text: string;
  try {
    text = readFileSync(profilesFile(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new CliError(`${profilesFile()} is not JSON.`, 'Remove it, and log in again.');
  }
}

/** Writes the file atomically and readable only by its owner, because a token grants access to the account. */
export function writeProfiles(profiles: Profiles): void {
  const file = profilesFile();
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}
