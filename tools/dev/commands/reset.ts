import { readdirSync, rmSync } from 'node:fs';
import { inDev } from '../paths.ts';
import { step } from '../progress.ts';
import { substituteFolder } from '../services/postgres-programs.ts';
import { testRunsInProgress } from '../test-leases.ts';
import { UserError } from '../user-error.ts';
import { down } from './down.ts';

/** Files that are kept because they are not data: addresses and the hash of the installed packages. */
const kept = ['state.json', 'voice-cell.json', 'packages.sha256'];

const clusterFolders = [inDev('postgres'), inDev('test', 'postgres'), inDev('bench', 'postgres')];

export async function reset(): Promise<number> {
  const testRuns = testRunsInProgress();
  if (testRuns.length > 0) {
    throw new UserError(`Tests are running (pid ${testRuns.join(', ')}). Wait for them to end, then reset.`);
  }
  await down();
  await step('data deleted', async () => {
    for (const folder of clusterFolders) rmSync(substituteFolder(folder), { recursive: true, force: true });
    for (const name of readdirSync(inDev())) {
      if (!kept.includes(name)) rmSync(inDev(name), { recursive: true, force: true });
    }
  });
  return 0;
}
