import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { z } from 'zod';
import { configSchema } from '../../server/src/main/config.ts';
import { UserError } from '../../tools/dev/user-error.ts';

/** Machines of each role. The templates of deploy/ list this many databases, load balancers and app machines. */
const machinesOf = { database: 3, balancer: 2, app: 2 } as const;

const edgeSettings = [
  ...['WORKERS', 'MAX_TCP_CONNECTIONS', 'MAX_TCP_CONNECTIONS_PER_ADDRESS', 'UNREGISTERED_SECONDS'],
  ...['PING_SECONDS', 'PEERS_SECONDS', 'FLOOD_REQUESTS', 'BEGUN_CALLS', 'PAIR_FAILURES', 'ADDRESS_FAILURES'],
  ...['ADDRESS_EXTENSIONS', 'EXTENSION_FAILURES', 'FAILURE_SECONDS', 'BAN_SECONDS', 'SHARED_MEMORY_MB'],
];
const mediaSettings = ['RTP_FROM', 'RTP_TO', 'RTP_TIMEOUT'];
/** Secrets are files, not settings of the inventory. */
const serverSettings = Object.entries(configSchema.shape)
  .filter(([, schema]) => !schema.meta()?.secret)
  .map(([name]) => name);

const address = z.ipv4();
const hostName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and hyphens');
const domain = z.string().regex(/^[a-z0-9.-]+$/, 'must be a lower-case name or an address');
const machine = { name: hostName, address };
/** `advertisedAddress` is what others see if the machine is behind NAT. */
const publicMachine = { ...machine, publicAddress: address, advertisedAddress: address.optional() };

/** Processes of pgBackRest that compress, encrypt and copy. */
const backupProcesses = z.int().min(1).max(64).default(2);

const hostSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('database'), ...machine }),
  z.strictObject({ role: z.literal('balancer'), ...machine }),
  z.strictObject({ role: z.literal('app'), ...machine }),
  z.strictObject({
    role: z.literal('edge'),
    ...publicMachine,
    edgeId: z.int().min(1).max(999),
    publicName: domain,
  }),
  /** `carrierAddress` is a separate address for SIP of carriers. */
  z.strictObject({ role: z.literal('media'), ...publicMachine, carrierAddress: address.optional() }),
  z.strictObject({ role: z.literal('storage'), ...machine }),
  /** Holds the backups of the database, instead of a bucket. */
  z.strictObject({
    role: z.literal('backup'),
    ...machine,
    folder: z.string().startsWith('/').default('/var/lib/pgbackrest'),
    processes: backupProcesses,
  }),
]);

const settingsOf = (names: string[]) =>
  z.partialRecord(z.enum(names), z.string().regex(/^[^\r\n]*$/, 'must be one line')).default({});

const inventorySchema = z
  .strictObject({
    apiName: domain,
    sipName: domain,
    mailFrom: z.string().min(3),
    carrierNetworks: z.array(z.cidrv4()).min(1),
    storage: z.strictObject({
      url: configSchema.shape.STORAGE_URL,
      accessKeyId: z.string().optional(),
      /** Certificates that are trusted besides the public authorities, for an object store with a private one. */
      caFile: z.string().startsWith('/').optional(),
    }),
    private: z.strictObject({ network: z.cidrv4(), interface: z.string().min(1), sharedAddress: address }),
    public: z.strictObject({ interface: z.string().min(1), sharedAddress: address }),
    /** `optional` is for the upgrade from a release without certificates of media nodes. */
    voiceTls: z.enum(['required', 'optional']).default('required'),
    database: z.strictObject({
      maxConnections: z.int().min(100).max(10_000),
      sharedBuffers: z.string().regex(/^\d+(MB|GB)$/, 'must be a size such as 4GB'),
      watchdog: z.enum(['automatic', 'required', 'off']),
    }),
    /** A bucket for the backups of the database, over HTTPS. Without it and a backup host the WAL is not archived. */
    backups: z
      .strictObject({
        bucket: z.string().min(3),
        host: domain,
        port: z.int().min(1).max(65_535).default(443),
        region: z.string().min(1),
        accessKeyId: z.string().min(1),
        caFile: z.string().startsWith('/').default('/etc/ssl/certs/ca-certificates.crt'),
        processes: backupProcesses,
      })
      .optional(),
    settings: z
      .strictObject({
        server: settingsOf(serverSettings),
        edge: settingsOf(edgeSettings),
        media: settingsOf(mediaSettings),
      })
      .prefault({}),
    hosts: z.array(hostSchema),
  })
  .superRefine((inventory, context) => {
    for (const message of findConflicts(inventory)) context.addIssue({ code: 'custom', message });
  });

/** All machines of one cell. */
export type Inventory = z.infer<typeof inventorySchema>;
export type InventoryHost = Inventory['hosts'][number];
export type Role = InventoryHost['role'];
export type HostOf<R extends Role> = Extract<InventoryHost, { role: R }>;

/** Returns the inventory in this file. Reports all errors together. */
export function readInventory(file: string): Inventory {
  return parseInventory(JSON.parse(readFileSync(file, 'utf8')), file);
}

export function parseInventory(content: unknown, origin = 'The inventory'): Inventory {
  const result = inventorySchema.safeParse(content);
  if (result.success) return result.data;
  throw new UserError(`${origin} is not valid:\n${z.prettifyError(result.error)}`);
}

export const hostsOf = <R extends Role>({ hosts }: { hosts: InventoryHost[] }, role: R): HostOf<R>[] =>
  hosts.filter((host): host is HostOf<R> => host.role === role);

function findConflicts(inventory: Inventory): string[] {
  const { hosts } = inventory;
  const addresses = [
    inventory.private.sharedAddress,
    inventory.public.sharedAddress,
    ...hosts.flatMap((host) =>
      'publicAddress' in host ? [host.address, host.publicAddress] : [host.address],
    ),
    ...hostsOf(inventory, 'media').flatMap(({ carrierAddress }) => carrierAddress ?? []),
  ];
  const [network = '', bits] = inventory.private.network.split('/');
  const inside = new BlockList();
  inside.addSubnet(network, Number(bits));
  return [
    ...Object.entries(machinesOf)
      .filter(([role, count]) => hostsOf(inventory, role as Role).length !== count)
      .map(([role, count]) => `There must be ${count} hosts with the role ${role}.`),
    ...(['edge', 'media'] as const)
      .filter((role) => hostsOf(inventory, role).length === 0)
      .map((role) => `There must be a host with the role ${role}.`),
    ...(hostsOf(inventory, 'backup').length + (inventory.backups ? 1 : 0) > 1
      ? ['Backups are stored once: use a bucket (`backups`) or one host with the role backup.']
      : []),
    ...repeated(hosts.map(({ name }) => name)).map((name) => `Two hosts have the name ${name}.`),
    ...repeated(addresses).map((each) => `${each} is used twice.`),
    ...repeated(hostsOf(inventory, 'edge').map(({ edgeId }) => edgeId)).map(
      (id) => `Two edges have the edgeId ${id}.`,
    ),
    ...[inventory.private.sharedAddress, ...hosts.map((host) => host.address)]
      .filter((each) => !inside.check(each))
      .map((each) => `${each} is not in the private network.`),
  ];
}

const repeated = <T>(items: T[]): T[] => [
  ...new Set(items.filter((item, index) => items.indexOf(item) !== index)),
];
