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
import { withLockAt } from './lock.ts';
import { inBuilds, root } from './paths.ts';
import { UserError } from './user-error.ts';

const buildsKept = 8;
/** A build is kept for this long after its last use, because a process may still serve it. */
const maybeServedMs = 3_600_000;
const patienceMs = 180_000;

/** Pages that are built from this checkout. */
export interface BuiltPages {
  name: string;
  /** Glob patterns of all source files. */
  sources: string[];
  build(directory: string): Promise<{ exitCode: number; output: string }>;
}

/**
 * Returns the folder of the built pages, building them if their sources changed. Every state of the sources has its own
 * folder, so that a new build does not affect a process that serves an older one.
 */
export async function buildPages(pages: BuiltPages): Promise<string> {
  mkdirSync(inBuilds(pages.name), { recursive: true });
  return await withLockAt(inBuilds(pages.name, 'lock.json'), patienceMs, async () => {
    const directory = inBuilds(pages.name, hashOfSources(pages));
    if (!existsSync(join(directory, 'index.html'))) await build(pages, directory);
    utimesSync(directory, new Date(), new Date());
    removeOldBuilds(pages);
    return directory;
  });
}

/** Returns the folder of the build of the current sources, if it exists. */
export function findBuiltPages(pages: BuiltPages): string | undefined {
  const directory = inBuilds(pages.name, hashOfSources(pages));
  return existsSync(directory) ? directory : undefined;
}

function hashOfSources({ sources }: BuiltPages): string {
  const hash = createHash('sha256');
  const isFile = (path: string): boolean => statSync(join(root, path)).isFile();
  const files = globSync(['package-lock.json', ...sources], { cwd: root })
    .filter(isFile)
    .sort();
  for (const path of files) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

async function build(pages: BuiltPages, directory: string): Promise<void> {
  const unfinished = `${directory}.part`;
  const result = await pages.build(unfinished);
  if (result.exitCode !== 0)
    throw new UserError(`Building the ${pages.name} failed:\n${result.output.trimEnd()}`);
  renameSync(unfinished, directory);
}

function removeOldBuilds({ name: folder }: BuiltPages): void {
  const builds = readdirSync(inBuilds(folder), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => ({ name, usedMs: statSync(inBuilds(folder, name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
  const isInUse = ({ usedMs }: { usedMs: number }) => Date.now() - usedMs < maybeServedMs;
  for (const { name } of builds.slice(buildsKept).filter((each) => !isInUse(each)))
    rmSync(inBuilds(folder, name), { recursive: true });
}
