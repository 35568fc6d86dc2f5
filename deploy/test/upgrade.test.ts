import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { root } from '../../tools/dev/paths.ts';

let folder: string;

/** Runs the real script with stub programs that record their arguments; containers/ tests the real programs. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-upgrade-'));
  copyFileSync(join(root, 'deploy/compose/upgrade'), join(folder, 'upgrade'));
  writeFileSync(join(folder, '.env'), 'NODE_NAME=m7\n');
  writeFileSync(join(folder, 'asked'), '');
  program('docker', 'case $1 in ps) echo container ;; inspect) echo healthy ;; esac');
  program('compose', '');
});

afterEach(() => rmSync(folder, { recursive: true }));

const program = (name: string, script: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$0 $*" >>${folder}/asked\n${script}\n`, {
    mode: 0o755,
  });
const asked = (): string => readFileSync(join(folder, 'asked'), 'utf8');

function upgrade() {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  return spawn(join(folder, 'upgrade'), { env, stdio: 'ignore', detached: true });
}

/** Returns the operator commands after the drain, following the wait for calls. */
const afterDrain = (): string => asked().split('disca node drain')[1]?.split('\n').slice(1).join('\n') ?? '';

it('a replaced media node accepts calls again', async () => {
  const [exitCode] = await once(upgrade(), 'exit');
  expect(exitCode).toBe(0);
  expect(afterDrain().match(/disca node undrain/g)).toHaveLength(1);
});

it('a media node accepts calls again when its replacement fails', async () => {
  program('compose', 'case "$*" in *"media relay"*) exit 1 ;; esac');
  const [exitCode] = await once(upgrade(), 'exit');
  expect(exitCode).toBe(1);
  expect(afterDrain()).toContain('disca node undrain');
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a media node accepts calls again when the wait for its calls is ended by %s',
  async (signal) => {
    program('compose', 'case "$*" in *"node drain"*) sleep 60 ;; esac');
    const upgrading = upgrade();
    const ended = once(upgrading, 'exit');
    await vi.waitFor(() => expect(asked()).toContain('disca node drain'), { timeout: 120_000 });
    appendFileSync(join(folder, 'asked'), '\n');
    process.kill(-(upgrading.pid ?? 0), signal);
    expect((await ended)[0]).toBe(130);
    expect(afterDrain()).toContain('disca node undrain');
  },
);
