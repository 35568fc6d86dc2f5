import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runOperatorCommand } from '../../src/main/cli/program.ts';
import { type Platform, testSettings } from './platform.ts';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

const program = fileURLToPath(new URL('../../src/main/cli/main.ts', import.meta.url));

const settingsOf = ({ database }: Pick<Platform, 'database'>): Record<string, string> => ({
  ...testSettings(database.serviceUrl, 'redis://127.0.0.1:1'),
  DATABASE_OWNER_URL: database.ownerUrl,
  DATABASE_OPERATOR_URL: database.operatorUrl,
});

/** Runs an operator command as an operator would, in a separate process, which takes seconds on a busy machine. */
export function runOperatorProcess(platform: Pick<Platform, 'database'>, args: string[]): Promise<Outcome> {
  const env = { ...process.env, ...settingsOf(platform) };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

/** Runs work in this process with the settings of an operator command. */
export async function withOperatorSettings(
  platform: Pick<Platform, 'database'>,
  work: () => Promise<void>,
): Promise<void> {
  for (const [name, value] of Object.entries(settingsOf(platform))) vi.stubEnv(name, value);
  try {
    await work();
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Runs an operator command in this process, with the settings, output and exit code of a separate one. */
export async function runOperator(platform: Pick<Platform, 'database'>, args: string[]): Promise<Outcome> {
  const outcome: Outcome = { code: 0, out: '', err: '' };
  const before = process.exitCode;
  let hasExited = false;
  const collect = (name: 'out' | 'err') => (chunk: string | Uint8Array) => {
    if (!hasExited) outcome[name] += String(chunk);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(collect('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(collect('err')),
    // A usage error exits. What follows in this process would not have happened.
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      hasExited = true;
      outcome.code = Number(code ?? 0);
      throw new Error('exited');
    }),
  ];
  process.exitCode = undefined;
  try {
    await withOperatorSettings(platform, () => runOperatorCommand(args));
    if (!hasExited) outcome.code = Number(process.exitCode ?? 0);
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
  return outcome;
}
