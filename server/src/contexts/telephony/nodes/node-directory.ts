import type { Database } from '../../../platform/db/database.ts';
import { refreshEvery } from '../../../platform/refresh.ts';
import type { Lease } from '../../calls/index.ts';
import { findFreeNodes } from './node-list.store.ts';

/** The media nodes that take new calls. Refreshed in the background, so that choosing one needs no query. */
export interface NodeDirectory {
  /** Returns the node for a new call; undefined if none is known to take calls, so that any node may. */
  choose(): Lease | undefined;
  close(): void;
}

const refreshEveryMs = 1_000;
/** A controller reports its node every second; a node without reports for this long is not chosen. */
const silentSeconds = 3;

/** Opens the directory, at first empty. It keeps the last known nodes while the database is unavailable. */
export function openNodeDirectory(db: Database, onFailure: (error: unknown) => void): NodeDirectory {
  let nodes: FreeNode[] = [];
  const refresh = async () => {
    nodes = await findFreeNodes(db, silentSeconds);
  };
  void refresh().catch(onFailure);
  return {
    choose: () => chooseNode(nodes, Math.random),
    close: refreshEvery(refreshEveryMs, refresh, onFailure),
  };
}

export interface FreeNode extends Lease {
  freeSlots: number;
}

/**
 * Returns the freer of two nodes picked at random, and counts the call against it: as even as comparing all of them, and
 * independent of their number.
 */
export function chooseNode(nodes: FreeNode[], random: () => number): Lease | undefined {
  const first = Math.floor(random() * nodes.length);
  const second = (first + 1 + Math.floor(random() * (nodes.length - 1))) % nodes.length;
  const [one, other] = [nodes[first], nodes[second]];
  const chosen = one && other && other.freeSlots > one.freeSlots ? other : one;
  if (!chosen || chosen.freeSlots <= 0) return undefined;
  chosen.freeSlots -= 1;
  return { node: chosen.node, epoch: chosen.epoch };
}
