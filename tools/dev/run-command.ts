import { spawn } from 'node:child_process';
import { root } from './paths.ts';

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  signal?: AbortSignal;
}

export interface CommandResult {
  exitCode: number;
  output: string;
}

const maxOutputCharacters = 1_000_000;
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a command to its end and captures its output. */
export function capture(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const { env, cwd = root, ...rest } = options;
    const child = spawn(command, args, {
      cwd,
      ...rest,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      if (output.length < maxOutputCharacters) output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => {
      if (error.name !== 'AbortError') reject(error);
    });
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

/** Runs a command on this terminal. Ctrl-C is received by the command; we wait for it to exit. */
export function runInForeground(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
    const leaveToChild = (): void => undefined;
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', leaveToChild);
    process.on('SIGTERM', passOn);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', leaveToChild);
      process.off('SIGTERM', passOn);
      resolve(code ?? 1);
    });
  });
}

/** Runs a command in its own process group, so that a signal to us ends all its children. */
export function runInOwnGroup(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    const passOn = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
    };
    for (const signal of endingSignals) process.on(signal, passOn);
    child.once('error', reject);
    child.once('close', (code) => {
      for (const signal of endingSignals) process.off(signal, passOn);
      resolve(code ?? 1);
    });
  });
}
