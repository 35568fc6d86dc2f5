import type { Fault } from '../../platform/errors.ts';
import type { Extension } from './extension.ts';

export interface NewExtension {
  ramal: string;
  senha: string;
  bina: string;
  firstName: string;
  lastName: string;
  email: string;
  recordCalls: boolean;
  autoAnswer: boolean;
}

export type ExtensionChange = { [Field in keyof NewExtension]: NewExtension[Field] | undefined };

/** The lowest number that is given out by itself. */
export const firstRamal = 1000;

/** What is wrong with a number and its password, apart from their form. `at` begins the path of each fault. */
export function faultsOf(
  { ramal, senha }: { ramal?: unknown; senha?: unknown },
  isTaken: boolean,
  at = '',
): Fault[] {
  const [ramalPath, senhaPath] = [`${at}ramal`, `${at}senha`];
  return [
    ...(isTaken
      ? [
          {
            path: ramalPath,
            code: 'duplicate',
            message: `\`${ramalPath}\` is used by another extension of the account.`,
          },
        ]
      : []),
    ...(ramal !== undefined && senha === ramal
      ? [{ path: senhaPath, code: 'invalid', message: `\`${senhaPath}\` must not be the ramal.` }]
      : []),
  ];
}

/** Faults of many rows; a number that an earlier row has taken is taken. Rows need not be well-formed. */
export function faultsOfRows(rows: readonly unknown[], taken: ReadonlySet<string>): Fault[] {
  const seen = new Set<unknown>(taken);
  return rows.flatMap((row, index) => {
    if (typeof row !== 'object' || row === null) return [];
    const { ramal, senha } = row as { ramal?: unknown; senha?: unknown };
    const faults = faultsOf({ ramal, senha }, seen.has(ramal), `extensions.${index}.`);
    if (ramal !== undefined) seen.add(ramal);
    return faults;
  });
}

/**
 * Whose own it is after a change. An e-mail that stays leaves the link as it is, even when its user has moved to another
 * address and somebody else has this one now; where there was no link, saving again makes it once the user is verified.
 */
export function ownerAfter(
  before: Extension,
  email: string | undefined,
  verifiedUserId: number | undefined,
): number | null {
  if (email === undefined) return before.userId;
  const stays = email.toLowerCase() === before.email.toLowerCase();
  if (stays && before.userId !== null) return before.userId;
  return verifiedUserId ?? null;
}
