import type { Database } from '../../../platform/db/database.ts';
import type { KeyRing } from '../../../platform/keyring.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { EngineEnd, FundDeps, MoveCall } from '../../calls/index.ts';
import type { EdgeBook } from '../legs/edge-book.ts';
import type { FollowedCalls } from '../legs/followed-calls.ts';
import type { ControlWatch } from '../observer.ts';
import type { MediaNode } from '../ports.ts';
import type { TrunkBook } from '../trunks/trunk-book.ts';
import type { TakenLease } from './node.store.ts';
import type { NodeClock } from './node-clock.ts';

export interface ControlDeps extends FundDeps {
  db: Database;
  keyRing: KeyRing;
  log: Logger;
  trunks: TrunkBook;
  edges: EdgeBook;
  watch: ControlWatch;
  /** Calls `wake` when something waits; answers how to stop listening. */
  onWake(wake: () => void): () => void;
  onSkew(node: string, skewMs: number): void;
  mostCallsPerNode: number;
  graceMs: number;
}

/** One media node, and everything this process knows about it while it holds the lease. */
export interface Control {
  deps: ControlDeps;
  node: MediaNode;
  lease: TakenLease;
  calls: FollowedCalls;
  moveCall: MoveCall;
  clock: NodeClock;
  /** Since when the node owes us the time; null when it has answered. */
  askedAt: number | null;
  /** When it last answered. */
  seenAt: Date;
  recordsCompleteAt: Date | null;
  /** Calls that only test a trunk. */
  trunkTests: Set<string>;
  /** Legs whose call is being decided: whose they are, and how they ended if they are gone meanwhile. */
  wanted: Map<string, { owner: string; end?: EngineEnd }>;
  /** False while the node has no room or does not answer. */
  takesCalls(): boolean;
}
