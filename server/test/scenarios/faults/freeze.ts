import { readFileSync } from 'node:fs';

/** Pauses a server and its children, as if the machine hung; returns a function that resumes them. */
export function freeze(pid: number): () => void {
  const pids = [pid, ...listChildren(pid)];
  for (const each of pids) signal(each, 'SIGSTOP');
  return () => {
    for (const each of pids) signal(each, 'SIGCONT');
  };
}

function listChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Tolerates that a child has ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
