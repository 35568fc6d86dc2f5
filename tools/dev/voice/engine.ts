import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DevFault } from '../fault.ts';

/** Where an engine finds its own folder, here and in a real deployment alike. */
export const engineHome = '/srv/disca';

interface EngineUser {
  uid: number;
  gid: number;
}

export interface EngineProgram {
  rootfs: string;
  /** The engine's own folder, seen by it as /srv/disca. */
  dir: string;
  /** A user of the root file system. */
  userName: string;
  command: string[];
}

// The mounts live in a name space of their own and vanish with the engine. Every step replaces the one
// before it, so that the recorded process is the engine itself.
const script = `
mount --bind "$1" "$2${engineHome}"
mount --bind "$1/etc/hosts" "$2/etc/hosts"
rootfs=$2 user=$3
shift 3
exec chroot --userspec="$user" "$rootfs" "$@"
`;

export function engineCommand(program: EngineProgram): { command: string; args: string[] } {
  const { uid, gid } = userToRunAs(program) ?? { uid: 0, gid: 0 };
  const names = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  return {
    command: 'unshare',
    args: [
      ...names,
      ...['--propagation', 'private', 'sh', '-ec', script, 'engine'],
      ...[program.dir, program.rootfs, `${uid}:${gid}`],
      ...program.command,
    ],
  };
}

/** Makes the folders and hands all that is in them to the engine's user. */
export function prepareEngineFolder(program: EngineProgram, folders: string[], logFile: string): void {
  for (const folder of folders) mkdirSync(join(program.dir, folder), { recursive: true });
  // Without its own name in this file an engine asks the name servers of the root for it.
  writeFileSync(join(program.dir, 'etc/hosts'), `127.0.0.1 localhost ${hostname()}\n::1 localhost\n`);
  if (!existsSync(logFile)) writeFileSync(logFile, '');
  const user = userToRunAs(program);
  if (user) giveAway(program.dir, user);
}

/** Root lends an engine the user its package made; anybody else runs it as themselves. */
function userToRunAs(program: EngineProgram): EngineUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync(join(program.rootfs, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${program.userName}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new DevFault(`${program.rootfs} has no user ${program.userName}. Remove it and run ./dev setup.`);
  }
  return { uid: Number(uid), gid: Number(gid) };
}

function giveAway(folder: string, user: EngineUser): void {
  chownSync(folder, user.uid, user.gid);
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) giveAway(path, user);
    else lchownSync(path, user.uid, user.gid);
  }
}
