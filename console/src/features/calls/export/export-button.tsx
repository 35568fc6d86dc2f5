import { useTranslation } from 'react-i18next';
import { StreamDownloadButton } from '../../../shared/download/download-button.tsx';
import { useFormats } from '../../../shared/format/formats.ts';
import type { ListFilter } from '../queries.ts';
import { exportCalls } from './export-calls.ts';

export function ExportButton({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <StreamDownloadButton
      text={t('calls.export.start')}
      stopText={(count) => t('calls.export.stop', { count, calls: formats.number(count) })}
      busyText={t('calls.export.busy')}
      save={(format, onLines, signal) => exportCalls(filter, format, onLines, signal)}
    />
  );
}
