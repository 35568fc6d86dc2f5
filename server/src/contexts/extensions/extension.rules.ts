import { commonPassword, isCommonPassword } from '../../platform/common-passwords.ts';
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

interface Given {
  ramal?: unknown;
  senha?: unknown;
  /** The password that the extension already has. */
  formerSenha?: string;
}

/** Returns the faults of a number and its password that the schema cannot detect. `at` prefixes the paths. */
export function faultsOf(given: Given, isTaken: boolean, at = ''): Fault[] {
  const ramalPath = `${at}ramal`;
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
    ...faultsOfSenha(given, `${at}senha`),
  ];
}

/** Returns the fault of a password. Clients send extensions back as they read them, so a former password may stay. */
function faultsOfSenha({ ramal, senha, formerSenha }: Given, path: string): Fault[] {
  if (ramal !== undefined && senha === ramal) {
    return [{ path, code: 'invalid', message: `\`${path}\` must differ from the ramal.` }];
  }
  if (typeof senha !== 'string' || senha === formerSenha || !isCommonPassword(senha)) return [];
  return [{ path, code: commonPassword.code, message: `\`${path}\` ${commonPassword.message}.` }];
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
