import type { Command } from 'commander';
import { explain, faultText } from './fault.ts';

/** Does what was asked for. What fails says what went wrong and what to do, for programs as JSON. */
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
    process.stderr.write(`${isForPrograms ? JSON.stringify({ error: fault }) : faultText(fault)}\n`);
    process.exitCode = 1;
  }
}

/** Whoever has stopped it knows. */
const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
