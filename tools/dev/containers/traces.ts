import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readJson, writeJson } from '../files.ts';
import { inDev } from '../paths.ts';
import { findRunning } from '../roster.ts';
import { capture } from '../run-command.ts';
import { otherEngine } from './other-engine.ts';

export const engineName = 'container-engine';

const forwardingFile = '/proc/sys/net/ipv4/ip_forward';
const tables = ['filter', 'nat'];

/** How the machine's network was before an engine came. */
interface NetworkBefore {
  /** The machine's start: what was remembered before it says nothing of now. */
  boot: string;
  forwarding: string;
  rules: string[];
  links: string[];
}

const memory = inDev('containers', 'network-before.json');

/** Remembers it in a file, so that an interrupted run can be cleaned up after. */
export async function rememberNetwork(): Promise<void> {
  const before: NetworkBefore = {
    boot: currentBoot(),
    forwarding: readFileSync(forwardingFile, 'utf8').trim(),
    rules: (await Promise.all(tables.map(rulesOf))).flat(),
    links: await bridges(),
  };
  writeJson(memory, before);
}

/** Takes back what an engine that is gone has left behind, if one has. */
export async function restoreNetwork(): Promise<void> {
  const before = leftBehind();
  if (!before) return;
  const other = whichOtherEngine();
  // From here on it cannot be told whose a bridge is.
  if (other) console.log(`  note    rules and bridges of our engine may be left: ${other}`);
  else await removeTraces(before);
  rmSync(memory);
}

/** An engine that is not ours, beside which ours must not run. */
export const whichOtherEngine = (): string | undefined =>
  otherEngine({
    ownPid: findRunning(engineName)?.process.pid,
    mayBeOurs: leftBehind() !== undefined,
  });

function leftBehind(): NetworkBefore | undefined {
  const before = readJson<NetworkBefore>(memory);
  return before?.boot === currentBoot() ? before : undefined;
}

const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Its chains, the rules that lead there, its bridges. Nobody else's. */
async function removeTraces(before: NetworkBefore): Promise<void> {
  for (const link of await bridges())
    if (!before.links.includes(link)) await run('ip', ['link', 'delete', link]);
  for (const table of tables) {
    const left = (await rulesOf(table)).filter(
      (rule) => !before.rules.includes(rule) && /docker|br-[0-9a-f]{12}|172\.30\./i.test(rule),
    );
    const args = left.map((rule) => rule.split(' ').slice(2));
    // Rules first, since a chain that is used cannot be removed.
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

/** Rules and chains as `table : -A FORWARD …`; comments in quotes are one word each in ours, and we have none. */
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
