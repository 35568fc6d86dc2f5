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

/** What the operator does to media nodes, by the command line only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
}

/** The secret is told once; only its hash is kept. */
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
  if (!taken) throw new Refusal('VALIDATION_ERROR', 'There is a node with this name or address already.');
  return { secret };
}

export const listNodes = (deps: OperatorDeps): Promise<NodeSummary[]> => findNodes(deps.db);

/** A draining node gets no new calls; those it has go on. */
export async function drainNode(deps: OperatorDeps, name: string, isDraining: boolean): Promise<void> {
  const state = isDraining ? 'draining' : 'active';
  if (!(await inTransaction(deps.db, (tx) => setNodeState(tx, name, state)))) throw noSuchNode(name);
}

/** Only a node without calls: a call whose node is unknown could not be ended. */
export async function removeNode(deps: OperatorDeps, name: string): Promise<void> {
  const outcome = await inTransaction(deps.db, (tx) => deleteNode(tx, name));
  if (outcome === 'missing') throw noSuchNode(name);
  if (outcome === 'busy') {
    throw new Refusal(
      'VALIDATION_ERROR',
      `${name} has calls. Drain it first and wait until they have ended.`,
    );
  }
}

/** Nobody who held a node before may write for it any more, and each counts as away until it connects again. */
export const fenceNodes = (deps: OperatorDeps): Promise<void> =>
  inTransaction(deps.db, (tx) => raiseEpochs(tx, epochsLeftOut));

/** More than a restored database can be behind. */
const epochsLeftOut = 1_000_000;

const noSuchNode = (name: string) => new Refusal('VALIDATION_ERROR', `There is no node ${name}.`);
