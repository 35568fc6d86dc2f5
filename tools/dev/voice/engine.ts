import { chownSync, existsSync, lchownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setOldLogAside } from '../services/service.ts';

/** Path of the engine's folder inside its root, the same as in a real deployment. */
export const engineHome = '/srv/disca';

// An unused user id: the ids that the packages would create may belong to other users on this machine, such as
// PostgreSQL's.
export const engineUser = 52_000;
const isRoot = process.getuid?.() === 0;

export interface EngineProgram {
  rootfs: string;
  /** Folder of the engine, mounted as /srv/disca. */
  dir: string;
  command: string[];
  /** Priority over other programs, as in production, where only media nodes have one; only root can set it. */
  niceness?: number;
  /** Name in `ip netns`; default: the machine's network. */
  networkNamespace?: string | undefined;
  /** Further folders of this machine, and where the engine sees them. */
  mounts?: { from: string; to: string }[];
}

// The mounts are in a separate namespace and disappear with the engine. Every step replaces the previous one by exec,
// so that the recorded process is the engine itself.
const script = `
mount --bind "$1" "$2${engineHome}"
mount --bind "$1/etc/hosts" "$2/etc/hosts"
rootfs=$2 user=$3 niceness=$4 mounts=$5
shift 5
while [ "$mounts" -gt 0 ]; do
  mount --bind "$1" "$rootfs$2"
  shift 2
  mounts=$((mounts - 1))
done
exec nice --adjustment="$niceness" chroot --userspec="$user:$user" --groups= "$rootfs" "$@"
`;

export function engineCommand(program: EngineProgram): { command: string; args: string[] } {
  const { mounts = [] } = program;
  // Users other than root run it as themselves, mapped to root in the new namespace.
  const names = isRoot ? ['--mount'] : ['--mount', '--map-root-user'];
  const args = [
    ...names,
    ...['--propagation', 'private', 'sh', '-ec', script, 'engine'],
    ...[program.dir, program.rootfs, String(isRoot ? engineUser : 0)],
    String(isRoot ? (program.niceness ?? 0) : 0),
    ...[String(mounts.length), ...mounts.flatMap(({ from, to }) => [from, to])],
    ...program.command,
  ];
  if (program.networkNamespace === undefined) return { command: 'unshare', args };
  return { command: 'ip', args: ['netns', 'exec', program.networkNamespace, 'unshare', ...args] };
}

/** Creates the folders and makes the engine's user their owner. */
export function prepareEngineFolder(program: EngineProgram, folders: string[], logFile: string): void {
  for (const folder of folders) mkdirSync(join(program.dir, folder), { recursive: true });
  // Without its host name in this file, an engine queries external name servers for it.
  writeFileSync(join(program.dir, 'etc/hosts'), `127.0.0.1 localhost ${hostname()}\n::1 localhost\n`);
  setOldLogAside(logFile);
  if (!existsSync(logFile)) writeFileSync(logFile, '');
  if (isRoot) giveAway(program.dir);
}

function giveAway(folder: string): void {
  chownSync(folder, engineUser, engineUser);
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) giveAway(path);
    else lchownSync(path, engineUser, engineUser);
  }
}
