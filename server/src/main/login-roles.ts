import pg from 'pg';
import { scramVerifier } from './scram-verifier.ts';

/** Returns the role that a database URL names. */
export const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/** Creates the login role of a database URL, or gives the existing one its password. */
export async function setLogin(owner: pg.Client, url: string): Promise<void> {
  await owner.query(`${(await hasRole(owner, url)) ? 'alter' : 'create'} role ${loginOf(url)}`);
}

/** Creates the login role of a database URL unless it exists. */
export async function addLogin(owner: pg.Client, url: string): Promise<void> {
  if (!(await hasRole(owner, url))) await owner.query(`create role ${loginOf(url)}`);
}

const hasRole = async (owner: pg.Client, url: string): Promise<boolean> =>
  (await owner.query('select from pg_roles where rolname = $1', [userOf(url)])).rowCount === 1;

function loginOf(url: string): string {
  const password = decodeURIComponent(new URL(url).password);
  const login = `${pg.escapeIdentifier(userOf(url))} login`;
  return password === '' ? login : `${login} password ${pg.escapeLiteral(scramVerifier(password))}`;
}
