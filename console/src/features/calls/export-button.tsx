import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/formats.ts';
import { SaveButton } from '../../shared/save-button.tsx';
import { exportCalls } from './export-calls.ts';
import type { ListFilter } from './queries.ts';

/** The calls of the view as a file. */
export function ExportButton({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <SaveButton
      text={t('calls.export.start')}
      stopText={(count) => t('calls.export.stop', { count, calls: formats.number(count) })}
      save={(onLines, signal) => exportCalls(filter, onLines, signal)}
    />
  );
}
