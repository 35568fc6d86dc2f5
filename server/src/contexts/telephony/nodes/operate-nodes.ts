import { createHash, randomBytes } from 'node:crypto';
import { type Database, inTransaction } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { refuseFaultyNode } from './node.rules.ts';
import {
  deleteNode,
  findNodes,
  insertNode,
  type NodeSummary,
  raiseEpochs,
  setNodeState,
} from './node-list.store.ts';

/** Operator commands for media nodes; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
}

/** Returns the secret, which cannot be shown again: only its hash is stored. */
export async function addNode(
  deps: OperatorDeps,
  node: { name: string; sipAddress: string },
): Promise<{ secret: string }> {
  refuseFaultyNode(node);
  const secret = randomBytes(32).toString('base64url');
  const secretHash = createHash('sha256').update(secret).digest();
  const taken = await inTransaction(deps.db, (tx) =>
    insertNode(tx, { ...node, secretHash, at: deps.clock.now() }),
  );
  if (!taken) throw new Refusal('VALIDATION_ERROR', 'A node with this name or address already exists.');
  return { secret };
}

export const listNodes = (deps: OperatorDeps): Promise<NodeSummary[]> => findNodes(deps.db);

/** Drains a node, or ends its draining. A draining node receives no new calls; its running calls continue. */
export async function drainNode(deps: OperatorDeps, name: string, isDraining: boolean): Promise<void> {
  const state = isDraining ? 'draining' : 'active';
  if (!(await inTransaction(deps.db, (tx) => setNodeState(tx, name, state)))) throw noSuchNode(name);
}

/** Removes a node that has no calls: the calls of a removed node could not be ended. */
export async function removeNode(deps: OperatorDeps, name: string): Promise<void> {
  const outcome = await inTransaction(deps.db, (tx) => deleteNode(tx, name));
  if (outcome === 'missing') throw noSuchNode(name);
  if (outcome === 'busy') {
    throw new Refusal(
      'VALIDATION_ERROR',
      `${name} has running calls. Drain it first and wait until they have ended.`,
    );
  }
}

/** Fences every lease holder. All nodes count as disconnected until they reconnect. */
export const fenceNodes = (deps: OperatorDeps): Promise<void> =>
  inTransaction(deps.db, (tx) => raiseEpochs(tx, epochsLeftOut));

/** Exceeds the number of epochs by which a restored database can be behind. */
const epochsLeftOut = 1_000_000;

const noSuchNode = (name: string) => new Refusal('VALIDATION_ERROR', `No node named ${name}.`);
