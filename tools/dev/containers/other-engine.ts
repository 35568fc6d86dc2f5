import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const program = 'dockerd';

export interface WhereToLook {
  /** Ours, if it runs. */
  ownPid?: number | undefined;
  processes?: string;
  links?: string;
  /** Whether an interrupted run of ours may have left a bridge. */
  mayBeOurs?: boolean;
}

/**
 * A container engine that is not ours, as words. It keeps rules in the same tables and a bridge of the same name, so
 * ours must neither run beside it nor tidy up after it.
 */
export function otherEngine({
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
    return 'docker0 is here: another container engine uses this machine';
  return undefined;
}

/** One that has ended and is not buried yet has no command line any more. */
function programOf(folder: string): string {
  try {
    return basename(readFileSync(join(folder, 'cmdline'), 'utf8').split('\0')[0] ?? '');
  } catch {
    // It is gone meanwhile.
    return '';
  }
}
