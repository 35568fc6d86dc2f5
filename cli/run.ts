import type { Command } from 'commander';
import { errorText, explain } from './cli-error.ts';

/** Runs a program. Errors are printed with advice, as JSON with --json. */
export async function run(
  program: Command,
  messageOf: (error: unknown) => string | undefined = () => undefined,
): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (isStopped(error)) {
      process.exitCode = 130;
      return;
    }
    const explained = explain(error);
    const fault = { ...explained, message: messageOf(error) ?? explained.message };
    const isForPrograms = process.argv.includes('--json');
    process.stderr.write(`${isForPrograms ? JSON.stringify({ error: fault }) : errorText(fault)}\n`);
    process.exitCode = 1;
  }
}

/** Returns whether the error is an interrupt, which is not reported as an error. */
const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
