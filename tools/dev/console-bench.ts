import { existsSync, readFileSync, rmSync } from 'node:fs';
import { inDev } from './paths.ts';
import { runInForeground } from './run-command.ts';

const tests = ['budget', 'interactive', 'long-list'].map((name) => `console/test/${name}.test.ts`);
const callCount = 1_000_000;
const rounds = 5;

/** Runs the performance tests of the console, with their services, and prints the measured results. */
export async function benchConsole(): Promise<number> {
  const figures = inDev('console-figures.txt');
  rmSync(figures, { force: true });
  const exitCode = await runInForeground('vitest', ['run', '--project', 'console', ...tests], {
    DISCA_FIGURES: figures,
    DISCA_LONG_LIST: String(callCount),
    DISCA_ROUNDS: String(rounds),
  });
  if (existsSync(figures)) console.log(readFileSync(figures, 'utf8').trimEnd());
  return exitCode;
}
