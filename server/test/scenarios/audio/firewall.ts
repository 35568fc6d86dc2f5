import { identifySelf, isRunning } from '../../../../tools/dev/process-identity.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import type { TestNode } from '../../harness/voice/engines.ts';

/** Addresses of a leg's audio, as `host:port`: at the media node and at the simulated party. */
export interface LegAudio {
  node: string;
  party: string;
}

/** Changes packets of a deployment. Its rules name the deployment's own loopback addresses, and no other packet matches. */
export interface Firewall {
  /** Applies an action of nftables to the audio that a party receives in one leg. */
  toParty(leg: LegAudio, action: string): Promise<void>;
  /** Applies an action of nftables to the audio that a party sends in one leg. */
  fromParty(leg: LegAudio, action: string): Promise<void>;
  /** Returns how many packets reached the counters in the actions. */
  counted(): Promise<number>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const ours = /table ip disca_(\d+)_(\d+)$/;

export async function openFirewall(): Promise<Firewall> {
  await removeOrphans();
  const { pid, startTicks } = identifySelf();
  const table = `ip disca_${pid}_${startTicks}`;
  await nft(`add table ${table}`);
  await nft(`add chain ${table} audio { type filter hook output priority 0; }`);
  return {
    toParty: ({ party }, action) => nft(`add rule ${table} audio ${addressedTo(party)} ${action}`),
    fromParty: ({ party, node }, action) =>
      nft(`add rule ${table} audio ${sentBy(party)} ${addressedTo(node)} ${action}`),
    async counted() {
      const counters = (await list(`chain ${table} audio`)).matchAll(/counter packets (\d+)/g);
      return [...counters].reduce((sum, [, packets]) => sum + Number(packets), 0);
    },
    clear: () => nft(`flush chain ${table} audio`),
    close: () => nft(`delete table ${table}`),
  };
}

function addressedTo(address: string): string {
  const [host, port] = address.split(':');
  return `ip daddr ${host} udp dport ${port}`;
}

function sentBy(address: string): string {
  const [host, port] = address.split(':');
  return `ip saddr ${host} udp sport ${port}`;
}

/** Returns an action that makes packets look like those of another leg, whose own rule must not match them again. */
export function redirectTo({ node, party }: LegAudio): string {
  const [host, port] = node.split(':');
  return `ip saddr set ${host} udp sport set ${port} udp dport set ${party.split(':')[1]} accept`;
}

/** Removes tables whose owner processes have ended. */
async function removeOrphans(): Promise<void> {
  for (const line of (await list('tables')).split('\n')) {
    const [, pid, startTicks] = ours.exec(line) ?? [];
    if (pid === undefined) continue;
    const owner = { ...identifySelf(), pid: Number(pid), startTicks: Number(startTicks) };
    if (!isRunning(owner)) await nft(`delete table ip disca_${pid}_${startTicks}`);
  }
}

async function nft(command: string): Promise<void> {
  await run(command);
}

const list = (what: string): Promise<string> => run(`list ${what}`);

/** Returns what the command prints. */
async function run(command: string): Promise<string> {
  const { exitCode, output } = await capture('nft', [command]);
  if (exitCode !== 0) throw new Error(`nft ${command} failed: ${output}`);
  return output;
}

/** Returns the audio addresses of both legs of a click-to-call, the phone's first. */
export async function audioOf({ nodes }: { nodes: TestNode[] }, callId: string): Promise<LegAudio[]> {
  const legs: (LegAudio & { isPhone: boolean })[] = [];
  for (const node of nodes) {
    const { body } = await node.ask('GET', '/channels');
    for (const { id } of body as { id: string }[]) {
      const read = async (variable: string): Promise<string> => {
        const asked = `/channels/${id}/variable?variable=${encodeURIComponent(variable)}`;
        return ((await node.ask('GET', asked)).body as { value?: string }).value ?? '';
      };
      if ((await read('CALL_ID')) !== callId) continue;
      // The engine reports the port, but not the address to which it is bound.
      const [host] = node.sipAddress.split(':');
      const [, port] = (await read('CHANNEL(rtp,src)')).split(':');
      const party = await read('CHANNEL(rtp,dest)');
      legs.push({ node: `${host}:${port}`, party, isPhone: id === `${callId}.a` });
    }
  }
  return legs.toSorted((a, b) => Number(b.isPhone) - Number(a.isPhone));
}
