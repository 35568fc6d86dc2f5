import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture, openTerminal } from './harness/terminal.ts';

/** Returns the completions that each shell offers. */
const offers = {
  bash: (file: string, words: string[]) => [
    'bash',
    '--norc',
    '-c',
    `source "${file}"; COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _disca; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Without a terminal zsh completes nothing, so the test captures the arguments of compadd.
  zsh: (file: string, words: string[]) => [
    'zsh',
    '-f',
    '-c',
    `compdef() { : }; compadd() { shift; print -l -- \${(M)@:#\${words[CURRENT]}*} }; source "${file}"; words=(${quoted(words)}); CURRENT=${words.length}; _disca`,
  ],
  fish: (file: string, words: string[]) => [
    'fish',
    '--no-config',
    '-c',
    `source "${file}"; complete -C '${words.join(' ')}'`,
  ],
};

const quoted = (words: string[]): string => words.map((word) => `'${word}'`).join(' ');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disca-completion-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(Object.entries(offers))('%s', (shell, commandFor) => {
  let offered: (...words: string[]) => Promise<string[]>;
  beforeAll(async () => {
    const terminal = openTerminal();
    const { code, out, err } = await terminal.disca('completion', shell);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const file = join(folder, shell);
    await writeFile(file, out);
    offered = async (...words) => {
      const [program = '', ...args] = commandFor(file, ['disca', ...words]);
      const said = await capture(program, args, terminal.env);
      return said.split('\n').flatMap((line) => line.split('\t')[0] || []);
    };
    return () => terminal.leave();
  });

  test('completes commands of integrators and operators, and their subcommands', async () => {
    expect(await offered('c')).toEqual(
      expect.arrayContaining(['call', 'calls', 'completion', 'credit', 'caps', 'caller-id']),
    );
    expect(await offered('ext')).toEqual(['extensions']);
    expect((await offered('extensions', '')).slice(0, 2).sort()).toEqual(['add', 'remove']);
    expect(await offered('extensions', 'a')).toEqual(['add']);
  });

  test('completes options, their values and arguments with fixed choices', async () => {
    expect(await offered('calls', '--wa')).toEqual(['--watch']);
    expect(await offered('calls', '--status', 'a')).toEqual(['answered']);
    expect(await offered('trigger', 'channel-a')).toEqual(['channel-answer']);
    expect(await offered('extensions', 'add', '--first')).toEqual(['--first-name']);
  });
});
