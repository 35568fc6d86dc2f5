import type { TFunction } from 'i18next';
import type { Formats } from '../../../shared/format/formats.ts';
import type { Token } from '../queries.ts';

/** Console sessions are tokens with this name. The page cannot know which of them is its own. */
export const isSession = ({ name }: Pick<Token, 'name'>): boolean => name === 'Console';

export function expiryText(t: TFunction, formats: Formats, { created, ttl }: Token): string {
  if (ttl === -1) return t('people.tokens.neverExpires');
  const at = new Date(new Date(created).getTime() + ttl * 1000).toISOString();
  return t('people.tokens.expires', { at: formats.shortTime(at) });
}

export const usedText = (t: TFunction, formats: Formats, { lastUsedAt }: Token): string =>
  lastUsedAt === null
    ? t('people.tokens.neverUsed')
    : t('people.tokens.used', { ago: formats.ago(lastUsedAt) });

export const nameText = (t: TFunction, { name }: Pick<Token, 'name'>): string =>
  name ?? t('people.tokens.nameless');
