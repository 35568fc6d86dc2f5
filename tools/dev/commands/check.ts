import { findContainerObstacle } from '../containers/support.ts';
import { restoreNetworkState } from '../containers/traces.ts';
import { endOrphans } from '../process-records.ts';
import { seconds, step } from '../progress.ts';
import { endingSignals } from '../run-command.ts';
import { runStaticChecks, type Tally } from '../static-checks.ts';
import { startTestServices, type TestServices } from '../test-services.ts';
import { runTestSuite } from '../test-suite.ts';
import { messageOf, UserError } from '../user-error.ts';

/** Runs everything that CI runs. CI reads the last line, `N passed, N failed`. */
export async function check(args: string[]): Promise<number> {
  const fast = args.includes('--fast');
  if (args.some((word) => word !== '--fast')) throw new UserError('./dev check accepts only --fast.');
  const startedMs = Date.now();
  const interrupted = abortedBySignals();

  const tallies = [await runStaticChecks(interrupted)];
  if (!interrupted.aborted)
    tallies.push(fast ? await runTestSuite(['--project', 'unit']) : await runAllTests());
  if (interrupted.aborted) tallies.push({ passed: 0, failed: 1 });
  const { passed, failed } = sum(tallies);
  console.log(`\n${interrupted.aborted ? 'Interrupted' : 'Checked'} after ${seconds(startedMs)}.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/**
 * Returns a signal that aborts on SIGINT or SIGTERM, so that started processes are stopped and the progress is
 * reported.
 */
function abortedBySignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of endingSignals) process.on(signal, () => controller.abort());
  return controller.signal;
}

async function runAllTests(): Promise<Tally> {
  let services: TestServices;
  try {
    services = await step('test services', startTestServices);
  } catch (error) {
    console.log(messageOf(error));
    return { passed: 0, failed: 1 };
  }
  try {
    return await runTestSuite(await runnableChecks());
  } finally {
    await endOrphans();
    await restoreNetworkState();
    await services.stop();
  }
}

/** Returns the checks that this machine can run. The others are reported as not run, neither passed nor failed. */
async function runnableChecks(): Promise<string[]> {
  const reason = await findContainerObstacle();
  if (reason === undefined) return [];
  console.log(`  not run  containers: ${reason}`);
  return ['--project', '!containers'];
}

function sum(tallies: Tally[]): Tally {
  return tallies.reduce((total, tally) => ({
    passed: total.passed + tally.passed,
    failed: total.failed + tally.failed,
  }));
}
