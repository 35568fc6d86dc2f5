import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { DevFault } from './fault.ts';
import { withLockAt } from './lock.ts';
import { inDev, root } from './paths.ts';
import { capture } from './run-command.ts';

const buildsKept = 8;
/** A run that began with a build may still serve it for so long. */
const maybeServedMs = 3_600_000;
const patienceMs = 180_000;
const inputs = ['console/index.html', 'console/vite.config.ts', 'console/tsconfig.json', 'package-lock.json'];

/**
 * The folder of the console as its sources are now, built if they changed. Every state of the sources has a folder of
 * its own, so that whoever serves one is not disturbed by the next.
 */
export async function buildConsole(): Promise<string> {
  mkdirSync(inDev('console'), { recursive: true });
  return await withLockAt(inDev('console', 'lock.json'), patienceMs, async () => {
    const directory = inDev('console', hashOfSources());
    if (!existsSync(join(directory, 'index.html'))) await build(directory);
    utimesSync(directory, new Date(), new Date());
    removeOldBuilds();
    return directory;
  });
}

/** Where that build is, if it was made. */
export function builtConsole(): string | undefined {
  const directory = inDev('console', hashOfSources());
  return existsSync(directory) ? directory : undefined;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const isFile = (path: string): boolean => statSync(join(root, path)).isFile();
  const sources = globSync(['console/src/**/*', 'docs/examples/**/*'], { cwd: root }).filter(isFile).sort();
  for (const path of [...inputs, ...sources]) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

async function build(directory: string): Promise<void> {
  const unfinished = `${directory}.part`;
  const args = ['build', 'console', '--outDir', unfinished, '--logLevel', 'warn'];
  // Tests set another mode, in which libraries are larger and slower.
  const result = await capture('vite', args, { env: { NODE_ENV: 'production' } });
  if (result.exitCode !== 0) throw new DevFault(`The console was not built:\n${result.output.trimEnd()}`);
  renameSync(unfinished, directory);
}

function removeOldBuilds(): void {
  const builds = readdirSync(inDev('console'), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => ({ name, usedMs: statSync(inDev('console', name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
  const isInUse = ({ usedMs }: { usedMs: number }) => Date.now() - usedMs < maybeServedMs;
  for (const { name } of builds.slice(buildsKept).filter((each) => !isInUse(each)))
    rmSync(inDev('console', name), { recursive: true });
}
