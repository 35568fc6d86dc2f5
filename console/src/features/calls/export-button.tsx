import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/formats.ts';
import { Icon } from '../../shared/icons.tsx';
import { ProblemNote } from '../../shared/problem-note.tsx';
import { exportCalls } from './export-calls.ts';
import type { ListFilter } from './queries.ts';

/** The calls of the view as a file, as long as it may be; it can be stopped on the way. */
export function ExportButton({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [written, setWritten] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const start = async (): Promise<void> => {
    const control = new AbortController();
    stopping.current = control;
    setProblem(undefined);
    try {
      await exportCalls(filter, setWritten, control.signal);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(error);
    }
    setWritten(undefined);
  };
  return (
    <>
      {problem !== undefined && <ProblemNote error={problem} />}
      {written === undefined ? (
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => void start()}
        >
          {t('calls.export.start')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<Icon name="cross" size={16} />}
          onClick={() => stopping.current?.abort()}
        >
          {t('calls.export.stop', { count: written, calls: formats.number(written) })}
        </Button>
      )}
    </>
  );
}
