import { runInForeground } from '../run-command.ts';

/** The tests' own set-up starts the services they need. */
export async function test(args: string[]): Promise<number> {
  return runInForeground('vitest', ['run', ...args]);
}
