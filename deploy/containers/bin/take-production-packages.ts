import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// take-production-packages FROM TO: copies the packages that run in production, as the lock file names them, and no
// others. Much quicker than to install them again, or to remove the rest.
const [from = '', to = ''] = process.argv.slice(2);
const lock = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean }>;
};
const folders = Object.entries(lock.packages)
  .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && !dev)
  .map(([folder]) => folder);
for (const folder of folders) {
  const source = join(from, folder);
  // What is optional may have been left out, such as builds for other machines.
  if (!existsSync(source)) continue;
  // A package's own packages are in the list themselves.
  const isItsOwn = (path: string): boolean => !path.slice(source.length).startsWith('/node_modules');
  cpSync(source, join(to, folder), { recursive: true, filter: isItsOwn });
}
