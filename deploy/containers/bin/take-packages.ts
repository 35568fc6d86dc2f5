import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// take-packages FROM TO [NAME …]: copies the production packages of the lock file, or the named ones with their
// dependencies. Copying is much faster than reinstalling or pruning.
const [from = '', to = '', ...names] = process.argv.slice(2);

interface Locked {
  dev?: boolean;
  dependencies?: Record<string, string>;
}
const lock = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

const isInstalled = (folder: string): boolean => existsSync(join(from, folder));
const production = (): string[] =>
  Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && !dev)
    .map(([folder]) => folder);

/** Resolves a package like Node does: in node_modules of the requiring package, then of its parents. */
function find(name: string, askedFrom: string): string | undefined {
  const candidates = [`${askedFrom}/node_modules/${name}`, `node_modules/${name}`];
  return candidates.find((path) => lock.packages[path]);
}

function withDependencies(roots: string[]): string[] {
  const folders = new Set<string>();
  const visit = (folder: string | undefined): void => {
    if (!folder || folders.has(folder)) return;
    folders.add(folder);
    for (const name of Object.keys(lock.packages[folder]?.dependencies ?? {})) visit(find(name, folder));
  };
  for (const name of roots) visit(`node_modules/${name}`);
  return [...folders];
}

// Optional packages may not be installed, such as builds for other platforms.
for (const folder of (names.length > 0 ? withDependencies(names) : production()).filter(isInstalled)) {
  const source = join(from, folder);
  // Excludes nested packages, which are in the list themselves.
  const isItsOwn = (path: string): boolean => !path.slice(source.length).startsWith('/node_modules');
  cpSync(source, join(to, folder), { recursive: true, filter: isItsOwn });
}
