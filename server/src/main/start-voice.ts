import type { AddressInfo } from 'node:net';
import {
  type ControlDeps,
  openCallerKeys,
  openEdgeDirectory,
  openTrunkDirectory,
  type Work,
} from '../contexts/telephony/index.ts';
import { publishProgress } from '../platform/call-progress.ts';
import { openRedis } from '../platform/redis/redis.ts';
import { openWakeChannels, type WakeChannels } from '../platform/redis/wake.ts';
import type { Config } from './config.ts';
import { controlConnectedNodes } from './node-connections.ts';
import { plainNodeServer, secureNodeServer } from './node-servers.ts';
import { createNodeUploads } from './node-uploads.ts';
import { observeClockSkew } from './observe/clock-skew.ts';
import { createNodeObserver } from './observe/node-observer.ts';
import { type Base, type Money, voiceChannel } from './wire.ts';

export interface Voice {
  /** Port where media nodes and their shippers connect, if they are on this machine. */
  port: number;
  /** Port of other machines, if voice has a certificate. */
  tlsPort: number | undefined;
  connectedNodes(): number;
  stop(): Promise<void>;
}

/** Accepts connections of media nodes and controls their calls. */
export async function startVoice(config: Config, base: Base, money: Money): Promise<Voice> {
  const createSecure = secureNodeServer(config, base.log);
  const wakes = openWakeChannels(config.REDIS_URL);
  const redis = openRedis(config.REDIS_URL, () => undefined);
  const directories = await openDirectories(base);
  const deps: ControlDeps = {
    ...money,
    db: base.db,
    clock: base.clock,
    keyRing: base.keyRing,
    log: base.log,
    observer: base.observer,
    trunks: directories.trunks,
    edges: directories.edges,
    callerKeys: directories.callerKeys,
    onWake: (node, wake) => listenForWork(wakes, node, wake),
    publishProgress: (accountId, progress) => publishProgress(redis, accountId, progress),
    onSkew: observeClockSkew(base.instruments, base.log),
    maxCallsPerNode: config.NODE_MAX_CALLS,
    graceMs: config.SHUTDOWN_GRACE_MS,
  };
  const buildUploads = createNodeUploads(base, deps);
  const plain = buildUploads(plainNodeServer(config, base.log));
  const secure = createSecure && buildUploads(createSecure);
  const apps = secure ? [plain, secure] : [plain];
  const connections = controlConnectedNodes(
    apps.map(({ server }) => server),
    deps,
    createNodeObserver(base.instruments, base.tracing),
  );
  await plain.listen({ host: config.VOICE_HOST, port: config.VOICE_PORT });
  await secure?.listen({ host: config.VOICE_HOST, port: config.VOICE_TLS_PORT });
  const portOf = ({ server }: typeof plain): number => (server.address() as AddressInfo).port;

  return {
    port: portOf(plain),
    tlsPort: secure && portOf(secure),
    connectedNodes: connections.count,
    async stop() {
      // Stops accepting connections first, so that disconnected nodes reconnect to another process.
      const closed = Promise.all(apps.map((app) => app.close()));
      await connections.stop();
      await closed;
      directories.close();
      wakes.close();
      redis.disconnect();
    },
  };
}

/** Messages of a node's channel name the work; the previous release sends messages for any node only. */
function listenForWork(wakes: WakeChannels, node: string, wake: (work: Work) => void): () => void {
  const stopOwn = wakes.listen(voiceChannel(node), (work) =>
    wake(work === 'call' || work === 'hangup' || work === 'control' ? work : 'any'),
  );
  const stopAny = wakes.listen(voiceChannel(), () => wake('any'));
  return () => {
    stopOwn();
    stopAny();
  };
}

/** Opens the lists of trunks and edges and the edges' keys, which refresh from the database until they are closed. */
async function openDirectories({ db, log }: Base) {
  const trunks = await openTrunkDirectory(db, (err) =>
    log.warn({ err }, 'trunks could not be read; keeping the previous ones'),
  );
  const edges = await openEdgeDirectory(db, (err) =>
    log.warn({ err }, 'edges could not be read; keeping the previous ones'),
  );
  const callerKeys = await openCallerKeys(db, (err) =>
    log.warn({ err }, 'keys of the edges could not be read; keeping the previous ones'),
  );
  const close = (): void => {
    trunks.close();
    edges.close();
    callerKeys.close();
  };
  return { trunks, edges, callerKeys, close };
}
