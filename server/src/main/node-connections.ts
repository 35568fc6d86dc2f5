import type { Server } from 'node:http';
import { acceptNodes } from '../adapters/asterisk/index.ts';
import { type ControlDeps, controlNode, isNodeSecret, type MediaNode } from '../contexts/telephony/index.ts';

interface NodeConnections {
  count(): number;
  /** Releases all nodes, then closes their connections. */
  stop(): Promise<void>;
}

/** Controls every media node that connects to one of the servers. */
export function controlConnectedNodes(
  servers: Server[],
  deps: ControlDeps,
  observeNode: (node: MediaNode) => MediaNode,
): NodeConnections {
  const { db, log } = deps;
  const stopping = new AbortController();
  const controlled = new Set<Promise<void>>();
  const control = (node: MediaNode): void => {
    const controlling = controlNode(deps, observeNode(node), stopping.signal)
      .catch((err: unknown) => {
        log.error({ err, node: node.name }, 'media node control failed');
        node.disconnect();
      })
      .finally(() => controlled.delete(controlling));
    controlled.add(controlling);
  };
  const disconnects = servers.map((server) =>
    acceptNodes(server, {
      isSecret: (name, secret) => isNodeSecret(db, name, secret),
      onNode: control,
      onError: (err) => log.warn({ err }, 'media node could not connect'),
    }),
  );
  return {
    count: () => controlled.size,
    async stop() {
      stopping.abort();
      await Promise.all(controlled);
      for (const disconnectAll of disconnects) disconnectAll();
    },
  };
}
