import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { documents, snippetsOf, translationOf, translations } from '../snippets.ts';

/**
 * Runs the documents as a new user would: everything starts from scratch, independent of other services of this
 * checkout. The quick start comes first; the others continue from there. A page in Portuguese has the commands of its
 * English page, so that one run is a run of both.
 */
const repository = resolve(import.meta.dirname, '../../..');
const state = join('.dev', 'new-user');
const first = 'docs/quick-start.md';
const others = documents().filter((document) => document !== first && !document.startsWith(translations));
const commandsOf = (document: string): string[] =>
  snippetsOf(document).flatMap(({ isRunnable, text: lines }) => (isRunnable ? [lines] : []));
const withSnippets = [first, ...others].filter((document) => commandsOf(document).length > 0);

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

  test.each(withSnippets)('MANUAL-02 %s works as documented', { timeout: 600_000 }, async (document) => {
    const commands = commandsOf(document);
    const translation = translationOf(document);
    if (existsSync(join(repository, translation))) expect(commandsOf(translation)).toEqual(commands);
    // Each page is read by another person: together they would exceed the logins per minute of one address.
    if (document !== first)
      writeFileSync(join(curlHome, '.curlrc'), `interface = 127.0.1.${withSnippets.indexOf(document)}\n`);
    const { exitCode, said } = await shell(commands.join('\n'));
    expect(exitCode, said).toBe(0);
  });

  test('MANUAL-01 a running service serves both languages by address, whatever the browser prefers', async () => {
    const { said } = await shell(`eval "$(./dev env)"
      curl -sSf -H 'Accept-Language: pt-BR' "\${DISCA_URL%/api/v1}/manual/concepts.html"
      curl -sSf -H 'Accept-Language: en' "\${DISCA_URL%/api/v1}/manual/pt-BR/concepts.html"`);
    expect(said.match(/<html lang="[^"]+"|<h1 id="[^"]+"/g)).toEqual([
      '<html lang="en"',
      '<h1 id="concepts"',
      '<html lang="pt-BR"',
      '<h1 id="conceitos"',
    ]);
  });
});
