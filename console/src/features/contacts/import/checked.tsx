import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshContacts } from '../../../shared/contacts/queries.ts';
import { DialogActions } from '../../../shared/layout/dialog.tsx';
import { Note, ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { ImportProgress } from './import-progress.tsx';
import { Outcomes } from './outcomes.tsx';
import { RefusedRows } from './refused-rows.tsx';
import { type SentRow, sendRows } from './send-rows.ts';

/** What would happen to the rows, and the button that imports those that are valid and new. */
export function Checked({
  rows,
  signal,
  onDone,
}: {
  rows: SentRow[];
  signal: () => AbortSignal;
  onDone: (rows: SentRow[]) => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [count, setCount] = useState(0);
  const changing = rows.filter(({ result: { outcome } }) => outcome === 'created' || outcome === 'updated');
  const run = useMutation({
    mutationFn: () =>
      sendRows(
        changing.map(({ row }) => row),
        { isDryRun: false, signal: signal(), onProgress: (sent) => setCount(sent.length) },
      ),
    onSuccess: (sent) => onDone([...rows.filter((each) => !changing.includes(each)), ...sent]),
    onSettled: () => refreshContacts(queryClient),
  });
  return (
    <>
      <StatusNote kind={changing.length > 0 ? 'info' : 'bad'}>
        {changing.length > 0 ? t('contacts.import.ready') : t('contacts.import.nothing')}
      </StatusNote>
      <Outcomes rows={rows} tense="before" />
      <RefusedRows rows={rows} />
      {run.isPending && (
        <ImportProgress label={t('contacts.import.importing')} done={count} total={changing.length} />
      )}
      {run.error && <ProblemNote error={run.error} />}
      {run.error && <Note kind="info">{t('contacts.import.stopped', { count })}</Note>}
      <DialogActions>
        <Button
          disabled={changing.length === 0 || run.isError}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {t('contacts.import.submit', { count: changing.length })}
        </Button>
      </DialogActions>
    </>
  );
}
