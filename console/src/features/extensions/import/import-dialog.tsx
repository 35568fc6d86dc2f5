import { Button, FileButton, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { AlertNote, Note, ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import type { Extension } from '../queries.ts';
import { type CellFault, checkRows, importRows, toBatches } from './check-rows.ts';
import { DownloadButton } from './download-button.tsx';
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
  const forget = useRef<() => void>(null);
  return (
    <>
      <p className={classes.text}>{t('extensions.import.lead')}</p>
      <div className={classes.buttons}>
        <FileButton
          accept=".csv,text/csv,text/plain"
          inputProps={{ 'aria-label': t('extensions.import.file') }}
          resetRef={forget}
          onChange={(file) => {
            // Lets the user pick the same file again after correcting it.
            forget.current?.();
            if (file) onFile(file);
          }}
        >
          {(props) => (
            <Button
              {...props}
              data-autofocus
              variant={hasFile ? 'default' : 'filled'}
              loading={isPending}
              leftSection={<Icon name="upload" size={16} />}
            >
              {t('extensions.import.choose')}
            </Button>
          )}
        </FileButton>
        <DownloadButton name="ramais.csv" text={sample}>
          {t('extensions.import.sample')}
        </DownloadButton>
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
  const parts = toBatches(good).length;
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
      .map((cells) => cells.map(quoted).join(','))
      .join('\r\n');
  return (
    <>
      <StatusNote kind="good">{t('extensions.import.done', { count: extensions.length })}</StatusNote>
      <p className={classes.text}>{t('extensions.import.passwords')}</p>
      <DialogActions>
        <DownloadButton name="ramais-senhas.csv" text={text}>
          {t('extensions.import.downloadPasswords')}
        </DownloadButton>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </>
  );
}

/** Quotes a CSV value and escapes leading characters that spreadsheets read as a formula. */
function quoted(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const harmless = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
