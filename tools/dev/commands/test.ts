import { runInForeground } from '../run-command.ts';

/** Runs tests; their global set-up starts the services they need. */
export async function test(args: string[]): Promise<number> {
  return runInForeground('vitest', ['run', ...args]);
}
