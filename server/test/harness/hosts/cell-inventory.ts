import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Inventory,
  type InventoryHost,
  parseInventory,
} from '../../../../deploy/inventory/inventory.ts';
import { openSecrets, type Secrets } from '../../../../deploy/inventory/secrets.ts';
import { issueCertificate } from '../../../../tools/dev/voice/certificates.ts';
import type { HostNetwork } from './host-network.ts';

/** Last numbers of the shared addresses. Hosts are numbered from 1, their public addresses from 101. */
const shared = { private: 200, public: 201 };
const firstPublic = 100;
export const mailPorts = { smtp: 2525, http: 8025 };

export interface CellSettings {
  server?: Inventory['settings']['server'];
  edge?: Inventory['settings']['edge'];
  media?: Inventory['settings']['media'];
  /** `optional` for a cell in which voice of an earlier release runs. */
  voiceTls?: Inventory['voiceTls'];
}

const names = [
  'db1',
  'db2',
  'db3',
  'lb1',
  'lb2',
  'app1',
  'app2',
  'edge1',
  'edge2',
  'media1',
  'media2',
  'store1',
] as const;
export type CellHostName = (typeof names)[number];

const roles = { db: 'database', lb: 'balancer', app: 'app', edge: 'edge', media: 'media', store: 'storage' };

/** The bucket on the storage host, for recordings and backups. */
export const cellBucket = { name: 'disca', accessKeyId: 'disca', region: 'us-east-1', port: 9000 };
const storeName = 'store1' satisfies CellHostName;
/** Certificate authority of the object store, in the folder of the cell. */
const authorityName = 'store-ca.crt';

/** Describes the cell in a network of hosts. Carrier, phones and mail server are on this machine. */
export function cellInventory(
  { cidr, address: machine }: HostNetwork,
  dir: string,
  settings: CellSettings,
): Inventory {
  const at = (number: number): string => cidr.replace(/0\/24$/, String(number));
  const hosts = names.map((name, index) => {
    const [, kind = '', number = ''] = /^([a-z]+)(\d)$/.exec(name) ?? [];
    const address = at(index + 1);
    const publicAddress = at(firstPublic + index + 1);
    return {
      name,
      role: roles[kind as keyof typeof roles],
      address,
      ...(kind === 'edge' && { edgeId: Number(number), publicAddress, publicName: publicAddress }),
      ...(kind === 'media' && { publicAddress }),
    };
  });
  const store = at(names.indexOf(storeName) + 1);
  const { name: bucket, accessKeyId, region, port } = cellBucket;
  const location = new URLSearchParams({ endpoint: `https://${store}:${port}`, region });
  const caFile = join(dir, authorityName);
  return parseInventory({
    apiName: at(shared.public),
    sipName: 'disca.test',
    mailFrom: 'Disca <no-reply@disca.test>',
    carrierNetworks: [`${machine}/32`],
    storage: { url: `s3://${bucket}/recordings?${location}`, accessKeyId, caFile },
    backups: { bucket, host: store, port, region, accessKeyId, caFile },
    private: { network: cidr, interface: 'eth0', sharedAddress: at(shared.private) },
    public: { interface: 'eth0', sharedAddress: at(shared.public) },
    voiceTls: settings.voiceTls,
    database: { maxConnections: 300, sharedBuffers: '128MB', watchdog: 'off' },
    settings: {
      server: {
        DATABASE_POOL_SIZE: '10',
        SMTP_TLS: 'optional',
        WEBHOOK_ALLOWED_NETWORKS: cidr,
        // Requests of tests carry the address of their client.
        TRUSTED_PROXIES: cidr,
        ...settings.server,
      },
      // All phones have the address of this machine.
      edge: { FLOOD_REQUESTS: '100000', PEERS_SECONDS: '1', ...settings.edge },
      media: settings.media ?? {},
    },
    hosts,
  });
}

/** Last numbers of the addresses of a host besides the first. */
export const furtherNumbers = (host: InventoryHost): number[] =>
  'publicAddress' in host ? [Number(host.publicAddress.split('.').at(-1))] : [];

/** Creates the secrets of a cell, with a certificate of this checkout. */
export async function cellSecrets(
  folder: string,
  inventory: Inventory,
  { address }: HostNetwork,
): Promise<Secrets> {
  mkdirSync(folder, { recursive: true });
  const addresses = inventory.hosts.flatMap((host) => ('publicAddress' in host ? [host.publicAddress] : []));
  await issueCertificate(folder, [inventory.apiName, inventory.sipName, ...addresses], 'cell');
  cpSync(join(folder, 'cell.crt'), join(folder, 'certificate'));
  cpSync(join(folder, 'cell.key'), join(folder, 'certificate_key'));
  writeFileSync(join(folder, 'smtp_url'), `smtp://${address}:${mailPorts.smtp}\n`);
  const key = randomBytes(18).toString('hex');
  for (const name of ['s3_secret_access_key', 'backup_secret_access_key'])
    writeFileSync(join(folder, name), `${key}\n`);
  return openSecrets(folder, inventory);
}
