import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readJson, writeJson } from '../files.ts';
import { inDev } from '../paths.ts';
import { findRunning } from '../process-records.ts';
import { capture } from '../run-command.ts';
import { describeOtherEngine } from './other-engine.ts';

export const engineName = 'container-engine';

const forwardingFile = '/proc/sys/net/ipv4/ip_forward';
const tables = ['filter', 'nat'];

/** State of the machine's network before the engine started. */
interface NetworkState {
  /** Boot id: a record of an earlier boot is outdated. */
  boot: string;
  forwarding: string;
  rules: string[];
  links: string[];
}

const memory = inDev('containers', 'network-before.json');

/** Saves the state in a file, so that an interrupted run can be cleaned up. */
export async function saveNetworkState(): Promise<void> {
  const before: NetworkState = {
    boot: currentBoot(),
    forwarding: readFileSync(forwardingFile, 'utf8').trim(),
    rules: (await Promise.all(tables.map(rulesOf))).flat(),
    links: await bridges(),
  };
  writeJson(memory, before);
}

/** Removes the firewall rules and bridges that a stopped engine left behind. */
export async function restoreNetworkState(): Promise<void> {
  const before = leftBehind();
  if (!before) return;
  const other = findOtherEngine();
  // While another engine runs, the owner of a bridge is unknown.
  if (other)
    console.log(`  note    firewall rules and bridges of the private container engine may be left: ${other}`);
  else await removeTraces(before);
  rmSync(memory);
}

/** Describes another engine that runs on this machine; ours must not run beside it. */
export const findOtherEngine = (): string | undefined =>
  describeOtherEngine({
    ownPid: findRunning(engineName)?.process.pid,
    mayBeOurs: leftBehind() !== undefined,
  });

function leftBehind(): NetworkState | undefined {
  const before = readJson<NetworkState>(memory);
  return before?.boot === currentBoot() ? before : undefined;
}

const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Removes only our engine's chains, the rules that jump to them, and its bridges. */
async function removeTraces(before: NetworkState): Promise<void> {
  for (const link of await bridges())
    if (!before.links.includes(link)) await run('ip', ['link', 'delete', link]);
  for (const table of tables) {
    const left = (await rulesOf(table)).filter(
      (rule) => !before.rules.includes(rule) && /docker|br-[0-9a-f]{12}|172\.30\./i.test(rule),
    );
    const args = left.map((rule) => rule.split(' ').slice(2));
    // Rules first: a referenced chain cannot be removed.
    for (const [verb, ...rest] of args) if (verb === '-A') await change(table, ['-D', ...rest]);
    for (const [verb, chain = ''] of args) if (verb === '-N') await change(table, ['-X', chain]);
  }
  const policy = before.rules
    .find((rule) => rule.startsWith('filter : -P FORWARD'))
    ?.split(' ')
    .slice(2);
  if (policy) await change('filter', policy);
  writeFileSync(forwardingFile, before.forwarding);
}

/** Returns rules and chains as `table : -A FORWARD …`. Quoted comments are not supported; our rules have none. */
async function rulesOf(table: string): Promise<string[]> {
  const { output } = await capture('iptables', ['--wait', '--table', table, '--list-rules']);
  return output
    .split('\n')
    .filter((line) => line.startsWith('-'))
    .map((line) => `${table} : ${line}`);
}

async function bridges(): Promise<string[]> {
  const { output } = await capture('ip', ['-brief', 'link', 'show', 'type', 'bridge']);
  return output
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => /^(docker0|br-[0-9a-f]{12})$/.test(name));
}

const change = (table: string, args: string[]): Promise<void> =>
  run('iptables', ['--wait', '--table', table, ...args]);

async function run(command: string, args: string[]): Promise<void> {
  await capture(command, args);
}
