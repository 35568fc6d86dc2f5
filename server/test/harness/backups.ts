import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectStore, startObjectStore } from '../../../simulator/object-store/index.ts';
import { root } from '../../../tools/dev/paths.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { ownerRole } from '../../../tools/dev/services/postgres.ts';
import {
  accessibleFolder,
  type PostgresUser,
  postgresUser,
} from '../../../tools/dev/services/postgres-programs.ts';
import { certificateAuthority, issueCertificate } from '../../../tools/dev/voice/certificates.ts';
import { renderFolder } from '../../../tools/dev/voice/render.ts';

/** A bucket for the backups of a PostgreSQL that is about to be started, and the configuration of deploy/pgbackrest. */
export interface Backups {
  /** Data directory of the cluster. */
  data: string;
  port: number;
  /** Settings of PostgreSQL. */
  settings: Record<string, string>;
  /** Variables that name the configuration of pgBackRest. */
  environment: Record<string, string>;
  /** The folder of the objects in the bucket. */
  objects: string;
  /** Stops the object store; the result starts it again. */
  stopObjectStore(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/**
 * `dir` is the folder in which startStores runs PostgreSQL. `ioSeconds` is how long the bucket may take to respond; the
 * default is short, for tests of a bucket that is down.
 */
export async function prepareBackups(dir: string, { ioSeconds = 4 } = {}): Promise<Backups> {
  const user = postgresUser();
  const cluster = accessibleFolder(join(dir, 'postgres'), user);
  const port = await freePort();
  const bucket = await startBucket(join(dir, 'bucket'));
  // Not in the checkout: the path of a socket has at most 107 bytes.
  const sockets = mkdtempSync(join(tmpdir(), 'disca-sockets-'));
  if (user) chownSync(sockets, user.uid, user.gid);
  const { config, include } = await configure({
    cluster,
    sockets,
    port,
    store: bucket.store,
    user,
    ioSeconds,
  });
  return {
    data: join(cluster, 'data'),
    port,
    settings: {
      unix_socket_directories: sockets,
      archive_mode: 'on',
      archive_timeout: '60',
      archive_command: `pgbackrest --config=${config} --config-include-path=${include} --stanza=disca archive-push %p`,
    },
    environment: { PGBACKREST_CONFIG: config, PGBACKREST_CONFIG_INCLUDE_PATH: include },
    objects: join(bucket.dir, 'objects'),
    stopObjectStore: bucket.stop,
    async stop() {
      await bucket.stop();
      rmSync(sockets, { recursive: true, force: true });
    },
  };
}

const bucketKeys = { accessKeyId: 'disca', secretAccessKey: 'not so secret' };

/** Starts an object store over TLS. It can be stopped and started again with the same objects and port. */
async function startBucket(dir: string) {
  // pgBackRest compares the names of a certificate, not its addresses.
  const host = 'localhost';
  await issueCertificate(dir, [host], 'store');
  const [cert, key] = [readFileSync(join(dir, 'store.crt')), readFileSync(join(dir, 'store.key'))];
  const open = (port?: number): Promise<ObjectStore> =>
    startObjectStore({
      bucket: 'backups',
      ...bucketKeys,
      dir,
      host,
      tls: { cert, key },
      ...(port ? { port } : {}),
    });
  let store = await open();
  return {
    dir,
    store,
    async stop() {
      await store.stop();
      return async () => {
        store = await open(Number(new URL(store.endpoint).port));
      };
    },
  };
}

/** Writes the configuration of deploy/pgbackrest. Returns its paths. */
async function configure({
  cluster,
  sockets,
  port,
  store,
  user,
  ioSeconds,
}: {
  cluster: string;
  sockets: string;
  port: number;
  store: ObjectStore;
  user: PostgresUser | undefined;
  ioSeconds: number;
}): Promise<{ config: string; include: string }> {
  const own = join(cluster, 'pgbackrest');
  const { hostname, port: storePort } = new URL(store.endpoint);
  for (const name of ['', 'logs', 'locks', 'spool']) {
    mkdirSync(join(own, name), { recursive: true });
    if (user) chownSync(join(own, name), user.uid, user.gid);
  }
  copyFileSync(await certificateAuthority(), join(own, 'ca.crt'));
  const templates = join(root, 'deploy/pgbackrest');
  renderFolder(join(templates, 'database'), own, {
    CIPHER_PASS: randomBytes(18).toString('base64url'),
    PROCESSES: 2,
    IO_SECONDS: ioSeconds,
    LOGS: join(own, 'logs'),
    LOCKS: join(own, 'locks'),
    SPOOL: join(own, 'spool'),
    DATA: join(cluster, 'data'),
    SOCKETS: sockets,
    PORT: port,
    DATABASE_USER: ownerRole,
  });
  renderFolder(join(templates, 'bucket'), join(own, 'conf.d'), {
    BUCKET: 'backups',
    S3_HOST: hostname,
    S3_PORT: storePort,
    S3_REGION: 'sa-east-1',
    S3_KEY: bucketKeys.accessKeyId,
    S3_KEY_SECRET: bucketKeys.secretAccessKey,
    CA_FILE: join(own, 'ca.crt'),
  });
  for (const name of ['pgbackrest.conf', 'conf.d', 'conf.d/repository.conf'])
    if (user) chownSync(join(own, name), user.uid, user.gid);
  return { config: join(own, 'pgbackrest.conf'), include: join(own, 'conf.d') };
}
