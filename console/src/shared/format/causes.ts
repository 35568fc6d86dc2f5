import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { texts } from '../../locales/pt-BR/index.ts';

type Known = keyof typeof texts.calls.causes;

/** Translates the end reason of a call; untranslated causes are shown by name. */
export const causeText = (t: TFunction, cause: string): string =>
  t(`calls.causes.${cause as Known}`, { defaultValue: cause });

export function useCauseText(): (cause: string) => string {
  const { t } = useTranslation();
  return (cause) => causeText(t, cause);
}
