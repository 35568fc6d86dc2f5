import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeSipPort } from '../../../../deploy/inventory/host-files.ts';
import { hostsOf, type Inventory } from '../../../../deploy/inventory/inventory.ts';
import { nodeSecretOf, type Secrets } from '../../../../deploy/inventory/secrets.ts';
import { root } from '../../../../tools/dev/paths.ts';
import { extractSources, type Release } from '../../../../tools/dev/previous-release.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import type { Host } from './host-network.ts';
import { runOnce } from './host-services.ts';

/** Writes the sources of a release to a folder, with the packages that its lock file names. */
export async function installRelease(release: Release, folder: string): Promise<void> {
  await extractSources(release, folder);
  const lockOf = (sources: string): string => readFileSync(join(sources, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  const { exitCode, output } = await capture(join(folder, 'dev'), ['help'], { cwd: folder });
  if (exitCode !== 0) throw new Error(`Installing the packages of ${release.version} failed:\n${output}`);
}

/**
 * Prepares an empty database with a release. The program registers the media node of its own machine in every release,
 * so it runs once for each node.
 */
export async function prepareRelease(
  host: Host,
  folder: string,
  { sources, inventory, secrets }: { sources: string; inventory: Inventory; secrets: Secrets },
): Promise<void> {
  for (const { name, address } of hostsOf(inventory, 'media')) {
    const settings = {
      NODE_NAME: name,
      NODE_SIP_ADDRESS: `${address}:${nodeSipPort}`,
      NODE_SECRET: secrets(nodeSecretOf(name)),
    };
    await runOnce(host, 'prepare', folder, { sources, settings });
  }
}
