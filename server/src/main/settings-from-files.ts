import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

const ending = '_FILE';

/**
 * Reads settings from files named by `NAME_FILE`. This keeps secrets out of the environment, where child processes and
 * crash reports can see them. Trailing line breaks are removed. An empty variable counts as not set.
 */
export function withFiles(environment: Environment, names: readonly string[]): Record<string, string> {
  const set = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  for (const name of names) {
    const file = set[name + ending];
    if (file === undefined) continue;
    if (set[name] !== undefined)
      throw new Error(`${name} and ${name + ending} are both set: use one of them.`);
    set[name] = read(name, file);
  }
  return set;
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`The file in ${name + ending} cannot be read${code}.`, { cause: error });
  }
}
