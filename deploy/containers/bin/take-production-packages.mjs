// take-production-packages FROM TO: copies the packages that run in production, as the lock file names them, and no
// others. Much quicker than to install them again, or to remove the rest.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [from, to] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8'));
const folders = Object.entries(packages)
  .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && !dev)
  .map(([folder]) => folder);
for (const folder of folders) {
  // What is optional may have been left out, such as builds for other machines.
  if (!existsSync(join(from, folder))) continue;
  // A package's own packages are in the list themselves.
  const isInside = (path) => !path.slice(join(from, folder).length).startsWith('/node_modules');
  cpSync(join(from, folder), join(to, folder), { recursive: true, filter: isInside });
}
