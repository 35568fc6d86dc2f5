import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cachedAt, makeOnce } from '../../../tools/dev/voice/cache.ts';

const run = promisify(execFile);
const manifests = ['package.json', 'package-lock.json'];

/** Installs the generators once per lock file, outside the checkout. Returns their folder. */
export async function installGenerators(): Promise<string> {
  const texts = manifests.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const folder = cachedAt('openapi-clients', texts);
  await makeOnce(folder, async (unfinished) => {
    for (const name of manifests) copyFileSync(join(import.meta.dirname, name), join(unfinished, name));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished });
  });
  return folder;
}

/** Runs a program of the generators with this Node. Throws with its output if it fails. */
export async function runGenerator(
  generators: string,
  cwd: string,
  program: string,
  args: string[],
): Promise<void> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  try {
    await run(join(generators, 'node_modules/.bin', program), args, {
      cwd,
      env: { ...process.env, PATH: path },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed.\n${stdout}${stderr}`, { cause: error });
  }
}
