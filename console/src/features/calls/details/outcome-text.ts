import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import type { Attempt } from '../queries.ts';

/** Returns the localized outcome of a delivery attempt. */
export function useOutcomeText(): (attempt: Attempt) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ outcome, status, durationMs }) => {
    const text = t(`calls.outcomes.${outcome}`, { status: status ?? '' });
    return t('calls.outcome', { outcome: text, ms: formats.number(durationMs) });
  };
}
