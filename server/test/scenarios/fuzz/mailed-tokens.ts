import type { KeyRing } from '../../../src/platform/keyring.ts';

/** The tokens in mails, by the user or address they were issued for. */
export interface MailedTokens {
  of(purpose: string, owners: string[]): string[];
}

const maxTokens = 2_000;

/** Records tokens as they are signed, because mails are not read here. */
export function watchMailedTokens(keyRing: KeyRing): MailedTokens {
  const tokens = new Map<string, string>();
  const sign = keyRing.sign;
  keyRing.sign = (purpose, payload, expiresAt) => {
    const token = sign(purpose, payload, expiresAt);
    const { user, email } = payload as { user?: string; email?: string };
    for (const owner of [user, email]) {
      if (owner === undefined) continue;
      tokens.delete(`${purpose} ${owner}`);
      tokens.set(`${purpose} ${owner}`, token);
    }
    for (const oldest of tokens.keys()) {
      if (tokens.size <= maxTokens) break;
      tokens.delete(oldest);
    }
    return token;
  };
  return {
    of: (purpose, owners) => owners.flatMap((owner) => tokens.get(`${purpose} ${owner}`) ?? []),
  };
}
