import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChooseFile } from '../../../shared/csv/choose-file.tsx';
import { SaveTextButton } from '../../../shared/csv/save-text-button.tsx';
import { useFormats } from '../../../shared/format/formats.ts';
import { Dialog } from '../../../shared/layout/dialog.tsx';
import { AlertNote, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { Checked } from './checked.tsx';
import classes from './import.module.css';
import { ImportProgress } from './import-progress.tsx';
import { Imported } from './imported.tsx';
import { columns, maxRows, type Reading, type Row, readFile, sample } from './read-rows.ts';
import { type SentRow, sendRows } from './send-rows.ts';

type Check = { reading: Exclude<Reading, { rows: Row[] }> } | { rows: SentRow[] };

/** Imports contacts from a file. Shows what will happen to every row before anything is saved. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const signal = useAbortOnClose();
  const [imported, setImported] = useState<SentRow[]>();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const check = useMutation({
    mutationFn: async (file: File): Promise<Check> => {
      setProgress({ done: 0, total: 0 });
      const reading = await readFile(file);
      if ('refused' in reading) return { reading };
      const total = reading.rows.length;
      const onProgress = ({ length }: SentRow[]): void => setProgress({ done: length, total });
      return { rows: await sendRows(reading.rows, { isDryRun: true, signal: signal(), onProgress }) };
    },
  });
  const { data, error, isPending } = check;
  return (
    <Dialog title={t('contacts.import.title')} form="wide" onClose={onClose}>
      {imported ? (
        <Imported rows={imported} onClose={onClose} />
      ) : (
        <>
          <Introduction
            isPending={isPending}
            hasFile={data !== undefined}
            onFile={(file) => check.mutate(file)}
          />
          {isPending && progress.total > 0 && (
            <ImportProgress label={t('contacts.import.checking')} {...progress} />
          )}
          {error && <ProblemNote error={error} />}
          {data && 'reading' in data && <Refused reading={data.reading} />}
          {data && 'rows' in data && (
            <Checked key={check.submittedAt} rows={data.rows} signal={signal} onDone={setImported} />
          )}
        </>
      )}
    </Dialog>
  );
}

/** Returns a function that returns a signal, which is aborted when the dialog closes: no further rows are sent. */
function useAbortOnClose(): () => AbortSignal {
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current.abort();
  }, []);
  return () => controller.current.signal;
}

function Introduction({
  isPending,
  hasFile,
  onFile,
}: {
  isPending: boolean;
  hasFile: boolean;
  onFile: (file: File) => void;
}) {
  const { t } = useTranslation();
  const text = (): string =>
    sample(
      columns.map((column) => t(`contacts.import.columns.${column}`)),
      t('contacts.import.exampleDeal'),
    );
  return (
    <>
      <p className={classes.text}>{t('contacts.import.lead')}</p>
      <div className={classes.buttons}>
        <ChooseFile
          label={t('contacts.import.file')}
          text={t('contacts.import.choose')}
          isPending={isPending}
          hasFile={hasFile}
          onFile={onFile}
        />
        <SaveTextButton name={t('contacts.import.sampleFile')} text={text}>
          {t('contacts.import.sample')}
        </SaveTextButton>
      </div>
    </>
  );
}

function Refused({ reading }: { reading: Exclude<Reading, { rows: Row[] }> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const details = {
    max: formats.number(maxRows),
    line: reading.refused === 'malformed' ? reading.line : 0,
  };
  return <AlertNote kind="bad">{t(`contacts.import.refused.${reading.refused}`, details)}</AlertNote>;
}
