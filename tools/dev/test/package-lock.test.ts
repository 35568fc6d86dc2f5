import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../paths.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-lock-'));
  for (const file of ['package.json', 'package-lock.json', 'sdk/package.json', 'cli/package.json']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The npm of Debian 12, and the last one that runs with its Node.
test.each(['9.2.0', '10.9.4'])(
  'bug: npm %s accepts the lock file unchanged',
  { timeout: 600_000 },
  async (version) => {
    const install = ['ci', '--dry-run', '--ignore-scripts', '--loglevel=error'];
    const { stdout } = await run('npx', ['--yes', `npm@${version}`, ...install], { cwd: folder });
    expect(stdout).toMatch(/added \d+ packages|up to date/);
  },
);
