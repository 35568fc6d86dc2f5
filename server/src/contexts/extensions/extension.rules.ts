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

/** The lowest automatically assigned number. */
export const firstRamal = 1000;

/** Returns the faults of a number and its password that the schema cannot detect. `at` prefixes the paths. */
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
            message: `\`${ramalPath}\` is already used by another extension of the account.`,
          },
        ]
      : []),
    ...(ramal !== undefined && senha === ramal
      ? [{ path: senhaPath, code: 'invalid', message: `\`${senhaPath}\` must differ from the ramal.` }]
      : []),
  ];
}

/** Returns the faults of many rows, including numbers repeated between rows. Rows may be malformed. */
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
 * Returns the owner after a change. If the e-mail is unchanged, the owner is kept, even if that user's address has
 * changed and the e-mail now belongs to another user. Without an owner, the user with this e-mail becomes the owner, if
 * there is one.
 */
export function ownerAfter(
  before: Extension,
  email: string | undefined,
  userId: number | undefined,
): number | null {
  if (email === undefined) return before.userId;
  const stays = email.toLowerCase() === before.email.toLowerCase();
  if (stays && before.userId !== null) return before.userId;
  return userId ?? null;
}
