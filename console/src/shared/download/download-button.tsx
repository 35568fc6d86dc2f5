import { Button, Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Icon } from '../layout/icons.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';
import { type CsvFormat, csvFormats } from './csv-formats.ts';
import classes from './download-button.module.css';

const isBusy = (problem: unknown): boolean => isProblem(problem) && problem.code === 'CAPACITY_EXCEEDED';

/** Downloads a CSV file of any length in the chosen format, shows progress in lines, and can be cancelled. */
export function StreamDownloadButton({
  text,
  stopText,
  busyText,
  save,
}: {
  text: string;
  stopText: (lines: number) => string;
  /** Shown if another download of the user is running. */
  busyText?: string;
  save: (format: CsvFormat, onLines: (count: number) => void, signal: AbortSignal) => Promise<void>;
}) {
  const { t } = useTranslation();
  const [written, setWritten] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const start = async (format: CsvFormat): Promise<void> => {
    const control = new AbortController();
    stopping.current = control;
    setProblem(undefined);
    try {
      await save(format, setWritten, control.signal);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(error);
    }
    setWritten(undefined);
  };
  const isRunning = written !== undefined;
  return (
    <>
      {problem !== undefined && (
        <ProblemNote error={problem} {...(busyText !== undefined && isBusy(problem) && { text: busyText })} />
      )}
      {isRunning ? (
        <Button
          variant="default"
          leftSection={<Icon name="cross" size={16} />}
          onClick={() => stopping.current?.abort()}
        >
          {stopText(written)}
        </Button>
      ) : (
        <Menu position="bottom-end" width={280} withinPortal={false}>
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              rightSection={<Icon name="down" size={14} />}
            >
              {text}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {csvFormats.map((format) => (
              <Menu.Item key={format} onClick={() => void start(format)}>
                {t(`common.csv.${format}.name`)}
                <span className={classes.hint}>{t(`common.csv.${format}.hint`)}</span>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
