import { type ReactNode, useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { ProofDialog } from './proof-dialog.tsx';

interface Waiting {
  proved: () => void;
  canceled: () => void;
}

/**
 * Runs actions that need a recent proof of identity. If the API asks for one, `dialog` is shown, and the action runs
 * again after the proof.
 */
export function useProof(): {
  run: <Result>(action: () => Promise<Result>) => Promise<Result>;
  dialog: ReactNode;
} {
  const [waiting, setWaiting] = useState<Waiting>();
  async function run<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      if (!isProblem(error) || error.code !== 'PROOF_REQUIRED') throw error;
      await new Promise<void>((resolve, reject) =>
        setWaiting({ proved: resolve, canceled: () => reject(error) }),
      );
      return await action();
    }
  }
  const end = (how: 'proved' | 'canceled') => (): void => {
    setWaiting(undefined);
    waiting?.[how]();
  };
  return { run, dialog: waiting && <ProofDialog onDone={end('proved')} onClose={end('canceled')} /> };
}
