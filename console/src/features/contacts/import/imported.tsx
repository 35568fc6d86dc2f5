import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DialogActions } from '../../../shared/layout/dialog.tsx';
import { StatusNote } from '../../../shared/problems/problem-note.tsx';
import { Outcomes } from './outcomes.tsx';
import { RefusedRows } from './refused-rows.tsx';
import type { SentRow } from './send-rows.ts';

/** What happened to the rows. */
export function Imported({ rows, onClose }: { rows: SentRow[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <StatusNote kind="good">{t('contacts.import.done')}</StatusNote>
      <Outcomes rows={rows} tense="after" />
      <RefusedRows rows={rows} />
      <DialogActions>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </>
  );
}
