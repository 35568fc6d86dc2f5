import { useTranslation } from 'react-i18next';
import type { texts } from '../locales/pt-BR/index.ts';

type Known = keyof typeof texts.calls.causes;

/** Why a call ended, in words; a cause without words keeps its name. */
export function useCauseText(): (cause: string) => string {
  const { t } = useTranslation();
  return (cause) => t(`calls.causes.${cause as Known}`, { defaultValue: cause });
}
