import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// take-packages FROM TO [NAME …]: copies the packages that run in production, as the lock file names them, or those
// that are named with all they depend on. Much quicker than to install them again, or to remove the rest.
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

/** Where Node would find a package that another one asks for: beside its own, or further up. */
function find(name: string, askedFrom: string): string | undefined {
  const places = [`${askedFrom}/node_modules/${name}`, `node_modules/${name}`];
  return places.find((place) => lock.packages[place]);
}

function withDependencies(roots: string[]): string[] {
  const found = new Set<string>();
  const visit = (folder: string | undefined): void => {
    if (!folder || found.has(folder)) return;
    found.add(folder);
    for (const name of Object.keys(lock.packages[folder]?.dependencies ?? {})) visit(find(name, folder));
  };
  for (const name of roots) visit(`node_modules/${name}`);
  return [...found];
}

// What is optional may have been left out, such as builds for other machines.
for (const folder of (names.length > 0 ? withDependencies(names) : production()).filter(isInstalled)) {
  const source = join(from, folder);
  // A package's own packages are in the list themselves.
  const isItsOwn = (path: string): boolean => !path.slice(source.length).startsWith('/node_modules');
  cpSync(source, join(to, folder), { recursive: true, filter: isItsOwn });
}
