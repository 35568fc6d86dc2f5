import { readFileSync } from 'node:fs';

/** Stops a server and its children where they stand, as a machine that hangs would; gives the way to wake them. */
export function freeze(pid: number): () => void {
  const pids = [pid, ...childrenOf(pid)];
  for (const each of pids) signal(each, 'SIGSTOP');
  return () => {
    for (const each of pids) signal(each, 'SIGCONT');
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A child may have ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
