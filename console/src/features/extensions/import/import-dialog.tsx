import { Button, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChooseFile } from '../../../shared/csv/choose-file.tsx';
import { csvCell } from '../../../shared/csv/csv-cell.ts';
import { SaveTextButton } from '../../../shared/csv/save-text-button.tsx';
import { useFormats } from '../../../shared/format/formats.ts';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { AlertNote, Note, ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import type { Extension } from '../queries.ts';
import { batchesOf, type CellFault, checkRows, importRows } from './check-rows.ts';
import classes from './import.module.css';
import { Preview } from './preview.tsx';
import { columns, maxRows, type Reading, type Row, readFile, sample } from './read-rows.ts';

interface Checked {
  reading: Reading;
  faults: CellFault[];
}

/** Imports extensions from a file. Shows all errors before anything is created. */
export function ImportDialog({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Extension[]>();
  const check = useMutation({
    mutationFn: async (file: File): Promise<Checked> => {
      const reading = await readFile(file);
      return { reading, faults: 'rows' in reading ? await checkRows(reading.rows) : [] };
    },
  });
  const { data, error, isPending } = check;
  return (
    <Dialog title={t('extensions.import.title')} form="wide" onClose={onClose}>
      {made ? (
        <Imported extensions={made} onClose={onClose} />
      ) : (
        <>
          <Introduction
            isPending={isPending}
            hasFile={data !== undefined}
            onFile={(file) => check.mutate(file)}
          />
          {error && <ProblemNote error={error} />}
          {data && 'refused' in data.reading && <Refused reading={data.reading} />}
          {data && 'rows' in data.reading && !isPending && (
            <Checking
              key={check.submittedAt}
              rows={data.reading.rows}
              faults={data.faults}
              onChanged={onChanged}
              onDone={setMade}
            />
          )}
        </>
      )}
    </Dialog>
  );
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
  return (
    <>
      <p className={classes.text}>{t('extensions.import.lead')}</p>
      <div className={classes.buttons}>
        <ChooseFile
          label={t('extensions.import.file')}
          text={t('extensions.import.choose')}
          isPending={isPending}
          hasFile={hasFile}
          onFile={onFile}
        />
        <SaveTextButton name="ramais.csv" text={sample}>
          {t('extensions.import.sample')}
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
    columns: reading.refused === 'columns' ? reading.missing.join(', ') : '',
    line: reading.refused === 'malformed' ? reading.line : 0,
  };
  return <AlertNote kind="bad">{t(`extensions.import.refused.${reading.refused}`, details)}</AlertNote>;
}

function Checking({
  rows,
  faults,
  onChanged,
  onDone,
}: {
  rows: Row[];
  faults: CellFault[];
  onChanged: () => void;
  onDone: (made: Extension[]) => void;
}) {
  const { t } = useTranslation();
  const [count, setCount] = useState(0);
  const bad = new Set(faults.map(({ row }) => row));
  const good = rows.filter((row) => !bad.has(row));
  const parts = batchesOf(good).length;
  const run = useMutation({
    mutationFn: () => importRows(good, setCount),
    onSuccess: onDone,
    onSettled: onChanged,
  });
  return (
    <>
      <StatusNote kind={bad.size > 0 ? 'bad' : 'good'}>
        {bad.size > 0
          ? t('extensions.import.faulty', { count: bad.size, total: rows.length })
          : t('extensions.import.allGood', { count: rows.length })}
      </StatusNote>
      <Preview rows={rows} faults={faults} />
      {parts > 1 && <p className={classes.quiet}>{t('extensions.import.parts', { count: parts })}</p>}
      {run.isPending && (
        <Progress value={(100 * count) / good.length} aria-label={t('extensions.import.progress')} />
      )}
      {run.error && <ProblemNote error={run.error} />}
      {run.error && <Note kind="info">{t('extensions.import.stopped', { count })}</Note>}
      <DialogActions>
        <Button
          disabled={good.length === 0 || run.isError}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {t(bad.size > 0 ? 'extensions.import.submitGood' : 'extensions.import.submit', {
            count: good.length,
          })}
        </Button>
      </DialogActions>
    </>
  );
}

function Imported({ extensions, onClose }: { extensions: Extension[]; onClose: () => void }) {
  const { t } = useTranslation();
  const text = (): string =>
    [
      ['domain', ...columns],
      ...extensions.map((each) => ['domain' as const, ...columns].map((name) => each[name])),
    ]
      .map((cells) => cells.map(csvCell).join(','))
      .join('\r\n');
  return (
    <>
      <StatusNote kind="good">{t('extensions.import.done', { count: extensions.length })}</StatusNote>
      <p className={classes.text}>{t('extensions.import.passwords')}</p>
      <DialogActions>
        <SaveTextButton name="ramais-senhas.csv" text={text}>
          {t('extensions.import.downloadPasswords')}
        </SaveTextButton>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </>
  );
}
