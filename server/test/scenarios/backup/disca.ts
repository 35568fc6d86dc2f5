import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** One that waits for what will not happen must not outlive its test. */
const mostMs = 120_000;

/** The command line as an operator runs it. */
export function runDisca(env: Record<string, string>, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      join(root, 'disca'),
      args,
      { env: { ...process.env, ...env }, timeout: mostMs },
      (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      },
    );
  });
}
