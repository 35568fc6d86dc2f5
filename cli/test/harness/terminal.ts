import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { until } from '../../../server/test/harness/until.ts';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  process: ChildProcess;
  out(): string;
  err(): string;
  /** Waits until this text is printed. */
  says(what: string | RegExp): Promise<void>;
  ended: Promise<Outcome>;
}

/** A user at a terminal, with a separate home directory and no service settings. */
export interface Terminal {
  home: string;
  env: Record<string, string>;
  start(args: string[], input?: string): Running;
  disca(...args: string[]): Promise<Outcome>;
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  leave(): void;
}

const program = join(import.meta.dirname, '../../main.ts');

export function openTerminal(env: Record<string, string> = {}): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'disca-home-'));
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const mine = { PATH, NODE_COMPILE_CACHE, HOME: home, ...env };
  const start = (args: string[], input = ''): Running => {
    const child = spawn(process.execPath, [program, ...args], { env: mine, stdio: 'pipe' });
    child.stdin.end(input);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    let hasEnded = false;
    const ended = once(child, 'close').then(([code]) => {
      hasEnded = true;
      return { code: code as number | null, out, err };
    });
    const has = (what: string | RegExp) =>
      typeof what === 'string' ? `${out}${err}`.includes(what) : what.test(`${out}${err}`);
    return {
      process: child,
      out: () => out,
      err: () => err,
      says: async (what) => void (await until(() => has(what) || hasEnded, `it says ${what}`)),
      ended,
    };
  };
  return {
    home,
    env: mine,
    start,
    disca: (...args) => start(args).ended,
    async json(...args) {
      const { code, out, err } = await start([...args, '--json']).ended;
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return JSON.parse(out);
    },
    leave: () => rmSync(home, { recursive: true }),
  };
}

/** Returns the output of another program. */
export async function capture(command: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return said;
}
