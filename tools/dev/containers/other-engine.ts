import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const program = 'dockerd';

export interface WhereToLook {
  /** Pid of our engine, if it runs. */
  ownPid?: number | undefined;
  processes?: string;
  links?: string;
  /** Whether an interrupted run of this checkout may have left a bridge. */
  mayBeOurs?: boolean;
}

/**
 * Describes a container engine that is not ours, if there is one. It uses the same firewall tables and bridge name, so
 * our engine must neither run beside it nor clean up after it.
 */
export function describeOtherEngine({
  ownPid,
  processes = '/proc',
  links = '/sys/class/net',
  mayBeOurs = false,
}: WhereToLook): string | undefined {
  const running = readdirSync(processes)
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== ownPid)
    .find((pid) => programOf(join(processes, pid)) === program);
  if (running) return `another container engine runs here (pid ${running})`;
  if (!mayBeOurs && ownPid === undefined && existsSync(join(links, 'docker0')))
    return 'docker0 exists: another container engine uses this machine';
  return undefined;
}

/** Returns the program of a process; a zombie has no command line. */
function programOf(folder: string): string {
  try {
    return basename(readFileSync(join(folder, 'cmdline'), 'utf8').split('\0')[0] ?? '');
  } catch {
    // The process has exited since it was listed.
    return '';
  }
}
