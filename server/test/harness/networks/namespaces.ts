import { randomBytes } from 'node:crypto';
import { identifySelf, isRunning } from '../../../../tools/dev/process-identity.ts';
import { capture } from '../../../../tools/dev/run-command.ts';

const ours = /^disca-(\d+)-(\d+)-/;

/** Returns a name with the owner's process id, so that it can be removed when its owner was killed. */
export function ownName(what: string): string {
  const { pid, startTicks } = identifySelf();
  return `disca-${pid}-${startTicks}-${what}-${randomBytes(3).toString('hex')}`;
}

/** Runs `ip`; fails with its error output. */
export async function ip(...args: string[]): Promise<string> {
  return await run('ip', args);
}

export async function inside(namespace: string, command: string, ...args: string[]): Promise<string> {
  const { command: program, args: all } = commandInside(namespace, command, ...args);
  return await run(program, all);
}

export const commandInside = (namespace: string, ...command: string[]) => ({
  command: 'ip',
  args: ['netns', 'exec', namespace, ...command],
});

/** Removes namespaces whose owner processes have ended, with their links. */
export async function sweepNamespaces(): Promise<void> {
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ');
    if (ownerHasEnded(name)) await dropNamespace(name);
  }
}

/** Returns whether the name was made by `ownName` in a process that has ended. */
export function ownerHasEnded(name: string): boolean {
  const [, pid, startTicks] = ours.exec(name) ?? [];
  if (pid === undefined) return false;
  return !isRunning({ ...identifySelf(), pid: Number(pid), startTicks: Number(startTicks) });
}

/** Drops a namespace; tolerates that another process is doing the same. */
export async function dropNamespace(name: string): Promise<void> {
  await capture('ip', ['netns', 'delete', name]);
}

/** Runs a command; fails with its output. */
export async function run(command: string, args: string[]): Promise<string> {
  const { exitCode, output } = await capture(command, args);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${output}`);
  return output;
}
