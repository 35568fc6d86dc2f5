import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from './cli-error.ts';

export async function ask(question: string): Promise<string> {
  return await atTerminal(question, process.stderr);
}

/** Prompts for a secret without echo. */
export async function askSecretly(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answered = await atTerminal('', silent);
  process.stderr.write('\n');
  return answered;
}

async function atTerminal(question: string, output: Writable): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CliError(
      'There is no terminal to prompt on.',
      'Without a terminal give --email and --password-stdin, or --token-stdin.',
      'NO_TERMINAL',
    );
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

export const readStdin = async (): Promise<string> => (await text(process.stdin)).trim();
