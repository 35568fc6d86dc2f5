import { engineName, restoreNetworkState } from '../containers/traces.ts';
import { withLock } from '../lock.ts';
import { endAndRemove, endOrphans, findRecorded, findRunning } from '../process-records.ts';
import { step } from '../progress.ts';
import { testRunsInProgress } from '../test-leases.ts';
import { stopTestServices, testServiceNames } from '../test-services.ts';
import { dropLink } from '../voice/link.ts';
import { devServiceNames } from './up.ts';

export async function down(): Promise<number> {
  const stopped = await stopDevServices();
  const testRuns = testRunsInProgress();
  const testServices = testServiceNames.filter((name) => findRunning(name));
  if (testRuns.length > 0) {
    console.log(`The test services keep running: tests use them (pid ${testRuns.join(', ')}).`);
  } else if (testServices.length > 0) {
    await step('test services', () => stopTestServices());
  }
  const strays = await endOrphans();
  if (!findRunning(engineName)) await restoreNetworkState();
  if (strays > 0) console.log(`  ok      ${strays} left over from interrupted runs`);
  if (stopped + testServices.length + strays === 0) console.log('Nothing was running.');
  return 0;
}

async function stopDevServices(): Promise<number> {
  return withLock(async () => {
    let stopped = 0;
    for (const name of devServiceNames.toReversed()) {
      const entry = findRunning(name);
      if (entry) {
        await step(name, () => endAndRemove(entry));
        stopped += 1;
      } else {
        // End the remaining members of the dead service's process group.
        const dead = findRecorded(name);
        if (dead) await endAndRemove(dead);
      }
    }
    await dropLink();
    return stopped;
  });
}
