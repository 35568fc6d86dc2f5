import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { documents, snippetsOf } from '../snippets.ts';

/**
 * Runs the documents as a new user would: everything starts from scratch, independent of other services of this
 * checkout. The quick start comes first; the others continue from there.
 */
const repository = resolve(import.meta.dirname, '../../..');
const state = join('.dev', 'new-user');
const first = 'docs/quick-start.md';
const others = documents().filter((document) => document !== first);
const withSnippets = [first, ...others].filter((document) =>
  snippetsOf(document).some(({ isRunnable }) => isRunnable),
);

const curlHome = mkdtempSync(join(tmpdir(), 'disca-manual-'));

async function shell(script: string): Promise<{ exitCode: number; said: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: repository,
    env: { ...process.env, DISCA_STATE_DIR: state, NODE_ENV: '', CURL_HOME: curlHome },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, exitCode] = await Promise.all([
    text(child.stdout),
    new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1))),
  ]);
  return { exitCode, said };
}

describe('the manual', () => {
  rmSync(join(repository, state), { recursive: true, force: true });

  afterAll(async () => {
    await shell('./dev down');
    rmSync(join(repository, state), { recursive: true, force: true });
    rmSync(curlHome, { recursive: true });
  });

  test.each(withSnippets)('%s works as documented', { timeout: 600_000 }, async (document) => {
    const snippets = snippetsOf(document).filter(({ isRunnable }) => isRunnable);
    // Each page is read by another person: together they would exceed the logins per minute of one address.
    if (document !== first)
      writeFileSync(join(curlHome, '.curlrc'), `interface = 127.0.1.${withSnippets.indexOf(document)}\n`);
    const { exitCode, said } = await shell(snippets.map(({ text: lines }) => lines).join('\n'));
    expect(exitCode, said).toBe(0);
  });
});
