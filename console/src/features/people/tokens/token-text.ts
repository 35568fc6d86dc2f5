import type { TFunction } from 'i18next';
import type { Formats } from '../../../shared/format/formats.ts';
import type { ServiceToken, Token } from '../queries.ts';
import { scopeKeys } from './scopes.ts';

/** Console sessions are tokens with this name. They are listed in the settings. */
export const isSession = ({ name }: Pick<Token, 'name'>): boolean => name === 'Console';

export const expiryText = (t: TFunction, formats: Formats, { expiresAt }: Token): string =>
  expiresAt === null
    ? t('people.tokens.neverExpires')
    : t('people.tokens.expires', { at: formats.shortTime(expiresAt) });

export const usedText = (t: TFunction, formats: Formats, { lastUsedAt }: Token): string =>
  lastUsedAt === null
    ? t('people.tokens.neverUsed')
    : t('people.tokens.used', { ago: formats.ago(lastUsedAt) });

export const nameText = (t: TFunction, { name }: Pick<Token, 'name'>): string =>
  name ?? t('people.tokens.nameless');

/** Returns what the token is limited to, and who created a service token. */
export function limitTexts(t: TFunction, token: Token | ServiceToken): string[] {
  const { scopes, allowedAddresses } = token;
  const texts = [
    scopes === null
      ? t('people.tokens.allScopes')
      : scopes.map((scope) => t(`people.tokens.scopeNames.${scopeKeys[scope]}`)).join(' · '),
  ];
  if (allowedAddresses !== null)
    texts.push(t('people.tokens.onlyFrom', { addresses: allowedAddresses.join(', ') }));
  if ('createdBy' in token && token.createdBy !== null)
    texts.push(t('people.tokens.createdBy', { email: token.createdBy }));
  return texts;
}
