import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface ShippedPackage {
  name: string;
  version: string;
  licence: string;
  folder: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
  dependencies?: Record<string, string>;
}

const root = resolve(import.meta.dirname, '../..');

/** The server's file that the console imports. */
const sharedWithServer = 'server/src/platform/phone.ts';

/** Packages that VitePress bundles into pages. */
const inTheManual = ['vue', '@vueuse/core', '@vueuse/integrations', 'focus-trap', 'mark.js', 'minisearch'];

/** Returns the production packages of the lock file. */
export function productionPackages(): ShippedPackage[] {
  const { packages } = readJson<{ packages: Record<string, { dev?: boolean }> }>('package-lock.json');
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && !dev)
    .filter(([folder]) => existsSync(join(root, folder, 'package.json')))
    .map(([folder]) => describe(folder));
}

/** Returns the packages that may be bundled in the console and the manual: their imports, with dependencies. */
export function bundledPackages(): ShippedPackage[] {
  const packages = new Map<string, ShippedPackage>();
  const visit = (name: string): void => {
    const folder = `node_modules/${name}`;
    if (packages.has(name) || !existsSync(join(root, folder, 'package.json'))) return;
    packages.set(name, describe(folder));
    for (const each of Object.keys(readJson<Manifest>(`${folder}/package.json`).dependencies ?? {}))
      visit(each);
  };
  for (const name of [...importedByConsole(), ...inTheManual]) visit(name);
  // The dependencies of VitePress are build tools and are not bundled.
  packages.set('vitepress', describe('node_modules/vitepress'));
  return [...packages.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function importedByConsole(): Set<string> {
  const imports = /(?:from|import|url)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w][\w.-]*)[^'"]*['"]/g;
  const files = globSync(['console/src/**/*.{ts,tsx,css}', sharedWithServer], { cwd: root });
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(imports)].map(([, name]) => name ?? ''),
    ),
  );
}

function describe(folder: string): ShippedPackage {
  const { name, version, license, licenses } = readJson<Manifest>(`${folder}/package.json`);
  const licence = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
  return { name, version, licence: licence ?? 'unknown', folder: join(root, folder) };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}
