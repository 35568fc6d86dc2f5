import { rmSync } from 'node:fs';
import { readJson } from './files.ts';
import { inDev } from './paths.ts';
import { runInOwnGroup } from './run-command.ts';
import type { Tally } from './static-checks.ts';

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

export async function runTestSuite(args: string[]): Promise<Tally> {
  const reportFile = inDev('check', 'vitest.json');
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = await runInOwnGroup('vitest', ['run', ...reporters, ...args]);
  return countTests(readJson<VitestReport>(reportFile), exitCode);
}

/** Counts tests. Skipped tests and files that do not load count as failed. */
export function countTests(report: VitestReport | undefined, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1 };
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests + unloadable;
  // Errors outside of any test fail the run without failing a test.
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
