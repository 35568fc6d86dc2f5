import type { AddressInfo } from 'node:net';
import { acceptNodes, basicCredentials, readDetailRecord } from '../adapters/asterisk/index.ts';
import { storeRecording } from '../contexts/recordings/index.ts';
import {
  type ControlDeps,
  controlNode,
  isNodeSecret,
  openEdgeDirectory,
  openTrunkDirectory,
  receiveRecords,
} from '../contexts/telephony/index.ts';
import { buildNodes } from '../http/nodes.ts';
import { listenForWakes } from '../platform/redis/wake.ts';
import type { Config } from './config.ts';
import { createNodeObserver } from './observe/node-observer.ts';
import { observeUploads } from './observe/uploads.ts';
import { type Base, type Money, wakeChannel } from './wire.ts';

export interface Voice {
  /** Port where media nodes and their shippers connect. */
  port: number;
  connectedNodes(): number;
  stop(): Promise<void>;
}

/** Accepts connections of media nodes and controls their calls. */
export async function startVoice(config: Config, base: Base, money: Money): Promise<Voice> {
  const { log, instruments, tracing, observer, db, clock, keyRing, storage, retentionDays } = base;
  const wakes = listenForWakes(config.REDIS_URL, wakeChannel);
  const trunks = await openTrunkDirectory(db, (err) =>
    log.warn({ err }, 'trunks could not be read; keeping the previous ones'),
  );
  const edges = await openEdgeDirectory(db, (err) =>
    log.warn({ err }, 'edges could not be read; keeping the previous ones'),
  );
  const skew = new Map<string, number>();
  instruments.gauge('disca_node_clock_skew_seconds', () =>
    [...skew].map(([node, value]) => ({ labels: { node }, value })),
  );
  const observeNode = createNodeObserver(instruments, tracing);
  const deps: ControlDeps = {
    ...money,
    db,
    clock,
    keyRing,
    log,
    trunks,
    edges,
    observer,
    onWake: wakes.onWake,
    onSkew: (node, skewMs) => {
      if (Math.abs(skewMs) > worrySkewMs && Math.abs(skew.get(node) ?? 0) * 1000 <= worrySkewMs) {
        log.warn({ node, skewMs }, 'media node clock is off');
      }
      skew.set(node, skewMs / 1000);
    },
    maxCallsPerNode: config.NODE_MAX_CALLS,
    graceMs: config.SHUTDOWN_GRACE_MS,
  };

  const isSecret = (name: string, secret: string) => isNodeSecret(db, name, secret);
  const app = buildNodes({
    async identify(authorization) {
      const credentials = basicCredentials(authorization);
      return credentials && (await isSecret(credentials.name, credentials.secret))
        ? credentials.name
        : undefined;
    },
    async receiveRecords(node, lines, isComplete) {
      const records = lines.map(readDetailRecord).filter((record) => record !== undefined);
      await receiveRecords(deps, node, records, isComplete);
    },
    storeRecording: observeUploads(instruments, tracing, (upload) =>
      storeRecording({ db, clock, storage, retentionDays }, upload),
    ),
    onError: (err, node) => log.warn({ err, node }, 'media node upload rejected'),
  });
  const stopping = new AbortController();
  const controlling = new Set<Promise<void>>();
  const disconnectAll = acceptNodes(app.server, {
    isSecret,
    onNode(node) {
      const control = controlNode(deps, observeNode(node), stopping.signal)
        .catch((err: unknown) => {
          log.error({ err, node: node.name }, 'media node control failed');
          node.disconnect();
        })
        .finally(() => controlling.delete(control));
      controlling.add(control);
    },
    onError: (err) => log.warn({ err }, 'media node could not connect'),
  });
  await app.listen({ host: config.VOICE_HOST, port: config.VOICE_PORT });

  return {
    port: (app.server.address() as AddressInfo).port,
    connectedNodes: () => controlling.size,
    async stop() {
      // Stop accepting connections first, so that disconnected nodes reconnect to another process.
      const closed = app.close();
      stopping.abort();
      await Promise.all(controlling);
      disconnectAll();
      await closed;
      trunks.close();
      edges.close();
      wakes.close();
    },
  };
}

/** Skew above which an operator should correct the node's clock. */
const worrySkewMs = 2_000;
