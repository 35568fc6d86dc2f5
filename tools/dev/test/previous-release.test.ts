import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../paths.ts';
import { extractSources, previousRelease } from '../previous-release.ts';
import { capture } from '../run-command.ts';

it('the release to upgrade from is before this commit, and its sources can be extracted', async () => {
  const release = previousRelease();
  const { exitCode } = await capture('git', ['merge-base', '--is-ancestor', release.commit, 'HEAD'], {
    cwd: root,
  });
  expect(exitCode).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), 'disca-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await extractSources(release, folder);
  expect(existsSync(join(folder, 'deploy/compose/compose.yml'))).toBe(true);
});

it('a release that is not in the history is refused with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'disca-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unknown = { version: '0.0.1', commit: '0'.repeat(40) };
  await expect(extractSources(unknown, folder)).rejects.toThrow('Extracting release 0.0.1');
});
