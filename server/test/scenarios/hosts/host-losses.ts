import type { HostCell } from '../../harness/hosts/cell.ts';
import type { CellHostName } from '../../harness/hosts/cell-inventory.ts';
import type { CallRecord } from '../chaos/records.ts';
import type { Line } from '../many-nodes/line.ts';

export interface HostLoss {
  /** Returns the host that loses power. */
  choose(cell: HostCell): Promise<CellHostName>;
  /** Returns whether the host carried the call, which may then break off. */
  carried(record: CallRecord, lines: Line[]): boolean;
}

const carriesNone = () => false;

/** Lines are at the first and the second edge in turn. */
const isAtFirstEdge = (lines: Line[], extensionId: number | null): boolean =>
  lines.findIndex(({ id }) => id === extensionId) % 2 === 0;

export const hostLosses = {
  'app host': { choose: async () => 'app1', carried: carriesNone },
  'load balancer with the shared addresses': { choose: findActiveBalancer, carried: carriesNone },
  'edge host': {
    choose: async () => 'edge1',
    carried: ({ extensionId }, lines) => isAtFirstEdge(lines, extensionId),
  },
  'media host': { choose: async () => 'media1', carried: ({ node }) => node === 'media1' },
} satisfies Record<string, HostLoss>;

export type HostLossName = keyof typeof hostLosses;

async function findActiveBalancer({ host, inventory }: HostCell): Promise<CellHostName> {
  const addresses = await host('lb1').run('ip', 'address', 'show');
  return addresses.includes(` ${inventory.private.sharedAddress}/`) ? 'lb1' : 'lb2';
}
