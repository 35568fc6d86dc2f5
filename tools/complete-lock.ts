import { readFile, writeFile } from 'node:fs/promises';

/**
 * Adds missing entries of optional packages to the lock file. `npm ci` requires an entry for every optional package,
 * including those for other platforms, but npm omits packages that its registry does not serve. Run it after every
 * change of dependencies: `npm run lock`.
 */
interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = [
  'darwin',
  'linux',
  'win32',
  'android',
  'freebsd',
  'openharmony',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
];
const processors = ['arm64', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32', 'arm'];

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(path, 'utf8')) as { packages: Record<string, LockEntry> };
const { '': root = {}, ...packages } = lock.packages;

for (const [parent, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (!(key in packages) && !(`${parent}/${key}` in packages))
      packages[key] = entryOf(name, version, entry.dev);
  }
}

const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(path, `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, null, 2)}\n`);

/** Derives the platform from the package name, such as `@vendor/tool-linux-arm64-musl`. */
function entryOf(name: string, version: string, dev: boolean | undefined): LockEntry {
  const words = (name.split('/').at(-1) ?? '').replace('eabihf', '-eabihf').split('-');
  const system = systems.find((each) => words.includes(each));
  const processor = processors.find((each) => words.includes(each));
  const libc = words.some((word) => word.includes('musl'))
    ? 'musl'
    : words.includes('gnu')
      ? 'glibc'
      : undefined;
  return {
    version,
    ...(processor ? { cpu: [processor] } : {}),
    ...(dev ? { dev } : {}),
    optional: true,
    ...(system ? { os: [system] } : {}),
    ...(system === 'linux' && libc ? { libc: [libc] } : {}),
  };
}
