import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostsOf } from '../../../../deploy/inventory/inventory.ts';
import { untilControlled } from '../../harness/deployments/many-nodes.ts';
import type { HostCell } from '../../harness/hosts/cell.ts';
import type { HostService } from '../../harness/hosts/host-network.ts';
import { edge, media, type ProgramName, program } from '../../harness/hosts/host-services.ts';
import { findSnippet } from '../../harness/manual.ts';
import { until } from '../../harness/until.ts';

/** A step of docs/operate/upgrade.md. */
export interface UpgradeStep {
  name: string;
  /** Whether calls that are ringing meanwhile may be lost. */
  losesRinging: boolean;
  run(): Promise<void>;
}

/** Longer than an edge uses its list of media nodes (PEERS_SECONDS). */
const peersMs = 4_000;
const maxDrainSeconds = 120;

const appPrograms: ProgramName[] = ['api', 'worker', 'voice'];

/** Runs an operator command of a release on the first app machine, with the settings of the manual. */
export function disca(cell: HostCell, sources: string, ...args: string[]): Promise<string> {
  const settings = findSnippet('export KEY_RING_FILE')
    .replaceAll('/opt/disca', sources)
    .replaceAll('/etc/disca/', `${join(folderOf(cell, 'app1'), 'etc/disca')}/`)
    .replaceAll('api.example.com', cell.inventory.apiName);
  return cell.host('app1').run('bash', '-euc', `${settings}\n./disca "$@"`, 'disca', ...args);
}

/** Replaces the processes of the app machines, one machine at a time. */
export const appSteps = (cell: HostCell, sources: string): UpgradeStep[] =>
  hostsOf(cell.inventory, 'app').flatMap(({ name }) =>
    appPrograms.map((each) => ({
      name: `${each} of ${name}`,
      losesRinging: false,
      run: () => replace(cell, name, program(hostOf(cell, name), each, folderOf(cell, name), sources)),
    })),
  );

export const edgeSteps = (cell: HostCell, sources: string): UpgradeStep[] =>
  hostsOf(cell.inventory, 'edge').map(({ name, publicAddress }) => ({
    name: `edge of ${name}`,
    losesRinging: true,
    run: () => replace(cell, name, edge(hostOf(cell, name), folderOf(cell, name), publicAddress, sources)),
  }));

/** Replaces the media nodes one after the other: each is drained, replaced, and receives calls again. */
export const mediaSteps = (cell: HostCell, sources: string): UpgradeStep[] =>
  hostsOf(cell.inventory, 'media').map(({ name }) => ({
    name: `media and shipper of ${name}`,
    losesRinging: false,
    async run() {
      await disca(cell, sources, 'node', 'drain', name);
      await sleep(peersMs);
      await until(
        async () => new RegExp(`^${name} .* drained `, 'm').test(await disca(cell, sources, 'node', 'list')),
        `${name} is drained`,
        maxDrainSeconds,
      );
      const host = hostOf(cell, name);
      await replace(cell, name, media(host, folderOf(cell, name), sources));
      await replace(cell, name, program(host, 'shipper', folderOf(cell, name), sources));
      await untilControlled(cell.query, [name]);
      await disca(cell, sources, 'node', 'undrain', name);
    },
  }));

async function replace(cell: HostCell, name: string, service: HostService): Promise<void> {
  const host = hostOf(cell, name);
  await host.stop(service.name);
  await host.start(service);
}

type HostName = Parameters<HostCell['host']>[0];
const hostOf = (cell: HostCell, name: string) => cell.host(name as HostName);
export const folderOf = ({ dir }: HostCell, name: string): string => join(dir, 'hosts', name);
