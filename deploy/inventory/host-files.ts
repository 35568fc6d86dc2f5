import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillTemplate, type TemplateValues } from '../../tools/dev/voice/render.ts';
import type { HostOf, Inventory, Role } from './inventory.ts';
import type { Secrets } from './secrets.ts';

/** A file of a host. */
export interface HostFile {
  /** Absolute path on the host. */
  path: string;
  text: string;
  mode: number;
}

/** What the files of a host with this role are made of. */
export interface HostContext<R extends Role> {
  inventory: Inventory;
  host: HostOf<R>;
  secrets: Secrets;
  /** Returns where a path of the host is; on a machine, the path itself. */
  at(path: string): string;
}

/** Ports of the shared private address. */
export const sharedPorts = { postgres: 6432, redis: 6379 };
/** Ports of the processes on app machines; those for health checks are set in deploy/systemd. */
export const appPorts = { api: 3000, voice: 8390, voiceTls: 8391, apiOps: 9400, voiceOps: 9402 };
export const edgePorts = { sip: 5060, tls: 5061, wss: 8443, private: 5060 };
export const relayPorts = { plain: 3478, tls: 5349 };
export const nodeSipPort = 5060;
/** Of media nodes with a separate address for carriers. */
export const carrierPorts = { sip: 5060, tls: 5061 };
export const databaseName = 'disca';
/** Folders of PostgreSQL on every database machine. */
export const databaseFolders = { data: '/var/lib/postgresql/15/disca', sockets: '/run/postgresql' };

const templates = join(import.meta.dirname, '..');
const readable = 0o644;
const secret = 0o600;
export const executable = 0o755;

export const readTemplate = (name: string): string => readFileSync(join(templates, name), 'utf8');

/** A template of deploy/, filled with these values. */
export const filled = (path: string, template: string, values: TemplateValues): HostFile => ({
  path,
  text: fillTemplate(readTemplate(template), values),
  mode: readable,
});

export const confidential = (file: HostFile): HostFile => ({ ...file, mode: secret });
export const plain = (path: string, text: string): HostFile => ({ path, text, mode: readable });

/** A secret as it is loaded by a unit of deploy/systemd. */
export const credential = (name: string, text: string): HostFile => ({
  path: `/etc/disca/secrets/${name}`,
  text: `${text}\n`,
  mode: secret,
});

/** An environment file of a unit. */
export const environment = (path: string, values: Record<string, string | number>): HostFile =>
  plain(
    path,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

/** Owners of files, as `systemd-tmpfiles --create` sets them. */
export const owners = (lines: string[]): HostFile =>
  plain('/etc/tmpfiles.d/disca.conf', lines.map((line) => `${line}\n`).join(''));

/** URL of the primary as this role, through the load balancers. */
export const databaseUrl = (inventory: Inventory, role: string, password: string): string =>
  `postgres://${role}:${password}@${inventory.private.sharedAddress}:${sharedPorts.postgres}/${databaseName}`;

export const edgeDatabaseUrl = (inventory: Inventory, secrets: Secrets): string =>
  databaseUrl(inventory, 'disca_edge_login', secrets('edge_password'));

/** The arguments of Debian's unit of HAProxy. */
export function haproxyStart(names: string[], at: (path: string) => string): HostFile {
  const [first, ...others] = names.map((name) => at(`/etc/haproxy/${name}.cfg`));
  const further = others.map((file) => `-f ${file}`).join(' ');
  return plain('/etc/default/haproxy', `CONFIG=${first}\nEXTRAOPTS="${further}"\n`);
}

/** What others see of a machine. */
export const seenAddress = (host: {
  publicAddress: string;
  advertisedAddress?: string | undefined;
}): string => host.advertisedAddress ?? host.publicAddress;
