import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Ends a command that hangs, so that it does not outlive its test. */
const timeoutMs = 600_000;

/** Runs the CLI as an operator does. */
export function runDisca(env: Record<string, string>, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      join(root, 'disca'),
      args,
      { env: { ...process.env, ...env }, timeout: timeoutMs },
      (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      },
    );
  });
}
