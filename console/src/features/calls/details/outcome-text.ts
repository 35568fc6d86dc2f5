import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { outcomeKey } from '../../../shared/format/outcome-key.ts';
import type { Attempt } from '../queries.ts';

/** Returns the localized outcome of a delivery attempt. */
export function useOutcomeText(): (attempt: Attempt) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return (attempt) => {
    const text = t(outcomeKey(attempt), { status: attempt.status ?? '' });
    return t('calls.outcome', { outcome: text, ms: formats.number(attempt.durationMs) });
  };
}
