import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

const ending = '_FILE';

/**
 * A setting may stand in a file instead, which `NAME_FILE` names: so secrets need no environment, where every child and
 * every crash report sees them. Line ends after the value are not part of it. An empty variable is one that is not set.
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
    throw new Error(`The file that ${name + ending} names cannot be read${code}.`, { cause: error });
  }
}
