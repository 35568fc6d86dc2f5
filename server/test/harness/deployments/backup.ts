import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMailSink } from '../../../../simulator/mail-sink/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startPostgres } from '../../../../tools/dev/services/postgres.ts';
import { asText, simulatorAddress, type VoiceCell } from '../../../../tools/dev/voice/cell.ts';
import { type Outcome, runDisca } from '../../scenarios/backup/disca.ts';
import { type Stores, startStores } from '../../scenarios/chaos/stores.ts';
import { type Program, startProgram } from '../../scenarios/many-nodes/program.ts';
import { prepareBackups } from '../backups.ts';
import { insertDeck, type OwnerQuery } from '../fixtures/billing-rows.ts';
import { chooseCell, type Engines, nodeAddress, startEngines } from '../voice/engines.ts';
import { buildSettings } from './chaos.ts';
import { untilControlled } from './many-nodes.ts';

/** A complete deployment whose PostgreSQL is backed up to a bucket. */
export interface BackupDeployment {
  dir: string;
  /** The folder of the objects in the bucket. */
  objects: string;
  /** Stops the object store; the result starts it again. */
  stopObjectStore(): Promise<() => Promise<void>>;
  /** Data directory of the running cluster. */
  data: string;
  apiUrl: string;
  serviceUrl: string;
  ownerUrl: string;
  query: OwnerQuery;
  engines: Engines;
  startPrograms(): Promise<void>;
  stopPrograms(): Promise<void>;
  /** Stops PostgreSQL immediately and deletes its data. */
  destroy(): Promise<void>;
  /** Starts PostgreSQL on the current data directory. */
  startDatabase(): Promise<void>;
  /** The operator's environment. */
  environment: Record<string, string>;
  disca(...args: string[]): Promise<Outcome>;
  stop(): Promise<void>;
}

const nodeName = 'm1';

export async function startBackupDeployment(): Promise<BackupDeployment> {
  const dir = inDev('backup', randomBytes(4).toString('hex'));
  const backups = await prepareBackups(dir);
  const [stores, cell] = await Promise.all([startStores(dir, backups.settings, backups.port), chooseCell()]);
  const nodeSecret = randomBytes(18).toString('base64url');
  await describeDeployment(stores.query, cell, nodeSecret);
  const ports = { api: await freePort(), voice: await freePort() };
  const mail = await startMailSink();
  const env = { ...settingsFor(dir, stores, ports), SMTP_URL: mail.smtpUrl };
  const environment = {
    ...env,
    DATABASE_OWNER_URL: stores.ownerUrl,
    DATABASE_OPERATOR_URL: stores.operatorUrl,
    ...backups.environment,
  };
  let programs = await startServers(dir, env);
  const engines = await startEngines({
    cell,
    edgeDatabaseUrl: stores.edgeUrl,
    controlUrl: `ws://127.0.0.1:${ports.voice}/asterisk`,
    nodeSecret,
  });
  const shipper = await startProgram('shipper', 1, {
    dir,
    env: shipperEnv(engines, ports.voice, nodeSecret),
  });
  await untilControlled(stores.query, [nodeName]);
  let postgres = stores.postgres;

  return {
    dir,
    objects: backups.objects,
    stopObjectStore: backups.stopObjectStore,
    data: backups.data,
    apiUrl: `http://127.0.0.1:${ports.api}/api/v1`,
    serviceUrl: stores.serviceUrl,
    ownerUrl: stores.ownerUrl,
    query: stores.query,
    engines,
    async startPrograms() {
      programs = await startServers(dir, env);
      await untilControlled(stores.query, [nodeName]);
    },
    stopPrograms: async () => void (await Promise.all(programs.map((program) => program.stop()))),
    async destroy() {
      await postgres.stop('kill');
      rmSync(backups.data, { recursive: true });
    },
    async startDatabase() {
      postgres = await startPostgres({
        dir: join(dir, 'postgres'),
        port: postgres.port,
        durable: true,
        settings: backups.settings,
      });
    },
    environment,
    disca: (...args) => runDisca(environment, args),
    async stop() {
      await Promise.all([...programs, shipper].map((program) => program.stop()));
      await Promise.all([engines.stop(), mail.stop()]);
      await postgres.stop('immediate');
      await stores.stop();
      await backups.stop();
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function describeDeployment(query: OwnerQuery, cell: VoiceCell, nodeSecret: string): Promise<void> {
  await query(
    'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
    [nodeName, createHash('sha256').update(nodeSecret).digest(), nodeAddress(cell)],
  );
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('simulator', 'test', $1, '551130000000', now())`,
    [asText(simulatorAddress(cell))],
  );
  await insertDeck(query, [{ prefix: '55', price: 0.6 }]);
}

const settingsFor = (
  dir: string,
  stores: Stores,
  ports: { api: number; voice: number },
): Record<string, string> => ({
  ...buildSettings(dir, stores.serviceUrl, stores.redis.url),
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  SHUTDOWN_DELAY_MS: '0',
  SHUTDOWN_GRACE_MS: '1000',
  HTTP_PORT: String(ports.api),
  PUBLIC_URL: `http://127.0.0.1:${ports.api}`,
  API_URL: `http://127.0.0.1:${ports.api}`,
  VOICE_PORT: String(ports.voice),
});

const startServers = (dir: string, env: Record<string, string>): Promise<Program[]> =>
  Promise.all((['api', 'worker', 'voice'] as const).map((kind) => startProgram(kind, 1, { dir, env })));

const shipperEnv = ({ node }: Engines, voicePort: number, nodeSecret: string): Record<string, string> => ({
  CONTROL_URL: `http://127.0.0.1:${voicePort}`,
  NODE_NAME: nodeName,
  NODE_SECRET: nodeSecret,
  RECORDS_FILE: node.detailRecords,
  RECORDINGS_DIRECTORY: node.recordingsDir,
});
