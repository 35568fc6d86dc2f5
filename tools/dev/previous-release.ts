import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './files.ts';
import { root } from './paths.ts';
import { capture } from './run-command.ts';
import { UserError } from './user-error.ts';

export interface Release {
  version: string;
  /** A clone has every commit, but not always the tags. */
  commit: string;
}

/** Returns the release to upgrade from: the last one in deploy/releases.json. */
export function previousRelease(): Release {
  const last = readJson<Release[]>(join(root, 'deploy/releases.json'))?.at(-1);
  if (!last) throw new UserError('deploy/releases.json names no release.');
  return last;
}

/** Extracts the sources of a release into a separate folder. */
export async function extractSources({ version, commit }: Release, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // Uses the file modes of a checkout, so that unchanged files are identical to the builder.
  const script = 'git -c tar.umask=0022 archive "$1" | tar -x -C "$2"';
  const args = ['-o', 'pipefail', '-ec', script, 'sources', commit, folder];
  const result = await capture('bash', args, { cwd: root });
  if (result.exitCode !== 0)
    throw new UserError(
      `Extracting release ${version} (${commit}) failed; it needs a clone with the full history:\n${result.output}`,
    );
}
