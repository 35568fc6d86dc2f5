import type { HostCell } from '../../harness/hosts/cell.ts';
import type { CellHostName } from '../../harness/hosts/cell-inventory.ts';
import { relayResponds } from '../../harness/hosts/host-services.ts';
import type { CallRecord } from '../chaos/records.ts';
import type { Line } from '../many-nodes/line.ts';
import { checkArchive, checkLinks, untilStored } from './store-checks.ts';

export interface HostLoss {
  /** Causes the loss. Returns what was lost, and a function that repairs it. */
  cause(cell: HostCell): Promise<{ what: string; repair(): Promise<void> }>;
  /** How long it takes until all processes of the host are affected. */
  takesMs?: number;
  /** Returns whether the lost host carried the call, which may then break off. */
  carried?(record: CallRecord, lines: Line[]): boolean;
  /** Waits for what must have happened before the loss. */
  prepare?(cell: HostCell, lines: Line[]): Promise<void>;
  /** Further checks before and after the repair. Each returns what is wrong. */
  checkDuring?(cell: HostCell, lines: Line[]): Promise<string[]>;
  checkAfter?(cell: HostCell): Promise<string[]>;
  /** What is lost, and what others take over. */
  effect: string;
}

/** Lines are at the first and the second edge in turn. */
const isAtFirstEdge = (lines: Line[], extensionId: number | null): boolean =>
  lines.findIndex(({ id }) => id === extensionId) % 2 === 0;

export const hostLosses = {
  'app host': {
    cause: (cell) => losePower(cell, 'app1'),
    effect: 'requests in progress on it; the other app host serves all requests, jobs and media nodes',
  },
  'load balancer with the shared addresses': {
    cause: async (cell) => losePower(cell, await findActiveBalancer(cell)),
    effect: 'connections through it, and rate-limit counters; the other load balancer takes the addresses',
  },
  'Redis process': {
    cause: async (cell) => loseService(cell, await findActiveBalancer(cell), 'redis'),
    effect: 'rate-limit counters; each process keeps its own counters, and voice polls for calls',
  },
  'edge host': {
    cause: (cell) => losePower(cell, 'edge1'),
    carried: ({ extensionId }, lines) => isAtFirstEdge(lines, extensionId),
    effect: 'calls that ring through it; phones on UDP are reachable again when it is back',
  },
  'relay process': {
    cause: (cell) => loseService(cell, 'edge1', 'relay'),
    checkDuring: (cell) => checkRelays(cell, ['edge2']),
    checkAfter: (cell) => checkRelays(cell, ['edge1', 'edge2']),
    effect:
      'audio of browsers that use this relay; phones do not use one, and the relay of the other edge responds',
  },
  'media host': {
    cause: (cell) => losePower(cell, 'media1'),
    carried: ({ node }) => node === 'media1',
    effect: 'its calls; the other media host takes new ones, and recordings are uploaded when it is back',
  },
  'object store host': {
    prepare: untilStored,
    cause: (cell) => losePower(cell, 'store1'),
    checkDuring: checkLinks,
    checkAfter: checkArchive,
    effect:
      'nothing; media hosts keep recordings and the database its WAL until it is back, links return 503',
  },
  'clock of a media host, moved by 90 s': {
    async cause({ host }) {
      host('media1').moveClock(90);
      return { what: 'media1', repair: async () => host('media1').moveClock(0) };
    },
    // libfaketime reads the offset again after a second, counted in whole seconds.
    takesMs: 2_500,
    // Asterisk measures the time limit of a call on this clock.
    carried: ({ node }) => node === 'media1',
    effect: 'calls of this host whose funded time is over on the new clock; times and prices stay correct',
  },
} satisfies Record<string, HostLoss>;

export type HostLossName = keyof typeof hostLosses;

async function losePower({ host }: HostCell, name: CellHostName) {
  await host(name).powerOff();
  return { what: name, repair: () => host(name).powerOn() };
}

async function loseService({ host }: HostCell, name: CellHostName, service: string) {
  await host(name).kill(service);
  return { what: `${service} of ${name}`, repair: () => host(name).startAgain(service) };
}

async function findActiveBalancer({ host, inventory }: HostCell): Promise<CellHostName> {
  const addresses = await host('lb1').run('ip', 'address', 'show');
  return addresses.includes(` ${inventory.private.sharedAddress}/`) ? 'lb1' : 'lb2';
}

/** Returns the relays that do not respond. */
async function checkRelays({ inventory }: HostCell, names: CellHostName[]): Promise<string[]> {
  const faults = await Promise.all(
    inventory.hosts.map(async (host) => {
      if (host.role !== 'edge' || !names.includes(host.name as CellHostName)) return [];
      return (await relayResponds(host.publicAddress)) ? [] : [`the relay of ${host.name} does not respond`];
    }),
  );
  return faults.flat();
}
