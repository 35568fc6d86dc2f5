import { mkdirSync } from 'node:fs';
import { root } from '../paths.ts';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';

/**
 * Returns the release to upgrade from: the last tag before this commit, or the previous commit on its branch, whichever
 * has a compose file; this commit if neither has.
 */
export async function previousRelease(): Promise<string> {
  const tag = await git(['describe', '--tags', '--abbrev=0', '--first-parent', 'HEAD^']);
  for (const candidate of [tag, 'HEAD^']) {
    if (candidate && (await git(['cat-file', '-e', `${candidate}:deploy/compose/compose.yml`])) !== undefined)
      return candidate;
  }
  return 'HEAD';
}

/** Extracts the sources of a release into a separate folder. */
export async function extractSources(release: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // Uses the file modes of a checkout, so that unchanged files are identical to the builder.
  const script = 'git -c tar.umask=0022 archive "$1" | tar -x -C "$2"';
  const result = await capture('bash', ['-o', 'pipefail', '-ec', script, 'sources', release, folder]);
  if (result.exitCode !== 0)
    throw new UserError(`Extracting the sources of ${release} failed:\n${result.output}`);
}

async function git(args: string[]): Promise<string | undefined> {
  const result = await capture('git', args, { cwd: root });
  return result.exitCode === 0 ? result.output.trim() : undefined;
}
