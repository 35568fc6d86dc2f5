import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appFiles } from './app-files.ts';
import { backupHostFiles } from './backup-files.ts';
import { balancerFiles } from './balancer-files.ts';
import { databaseFiles } from './database-files.ts';
import { edgeFiles } from './edge-files.ts';
import type { HostFile } from './host-files.ts';
import type { Inventory, InventoryHost } from './inventory.ts';
import { mediaFiles } from './media-files.ts';
import type { Secrets } from './secrets.ts';

export interface RenderOptions {
  inventory: Inventory;
  secrets: Secrets;
  /** Each host has a folder here, with its files as they are on the machine. */
  target: string;
  /** Returns where a path of the host is when its programs run; default: on a separate machine, the path itself. */
  at?(host: string, path: string): string;
}

/** Writes the files of all hosts; existing files are replaced. */
export function renderInventory({ inventory, secrets, target, at = (_, path) => path }: RenderOptions): void {
  for (const host of inventory.hosts) {
    const folder = join(target, host.name);
    for (const file of filesOf(host, inventory, secrets, (path) => at(host.name, path)))
      writeHostFile(join(folder, file.path), file);
  }
}

function filesOf(
  host: InventoryHost,
  inventory: Inventory,
  secrets: Secrets,
  at: (path: string) => string,
): HostFile[] {
  const common = { inventory, secrets, at };
  switch (host.role) {
    case 'database':
      return databaseFiles({ ...common, host });
    case 'balancer':
      return balancerFiles({ ...common, host });
    case 'app':
      return appFiles({ ...common, host });
    case 'edge':
      return edgeFiles({ ...common, host });
    case 'media':
      return mediaFiles({ ...common, host });
    case 'backup':
      return backupHostFiles({ ...common, host });
    case 'storage':
      // The object store is the operator's; api and voice reach it by `storage.url`.
      return [];
  }
}

function writeHostFile(path: string, { text, mode }: HostFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
  // Independent of the umask: a check that is not executable would release the shared addresses.
  chmodSync(path, mode);
}
