import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { Icon } from '../layout/icons.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';

const isBusy = (problem: unknown): boolean => isProblem(problem) && problem.code === 'CAPACITY_EXCEEDED';

/** Downloads a file of any length, shows progress in lines, and can be cancelled. */
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
  save: (onLines: (count: number) => void, signal: AbortSignal) => Promise<void>;
}) {
  const [written, setWritten] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const start = async (): Promise<void> => {
    const control = new AbortController();
    stopping.current = control;
    setProblem(undefined);
    try {
      await save(setWritten, control.signal);
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
      <Button
        variant="default"
        leftSection={<Icon name={isRunning ? 'cross' : 'download'} size={16} />}
        onClick={() => (isRunning ? stopping.current?.abort() : void start())}
      >
        {isRunning ? stopText(written) : text}
      </Button>
    </>
  );
}
