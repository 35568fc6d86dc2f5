import type { CallProgress } from '../../../platform/call-progress.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { KeyRing } from '../../../platform/keyring.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { EngineEnd, FundDeps, MoveCall, NoteAudio } from '../../calls/index.ts';
import type { CallerKeys } from '../legs/caller-keys.ts';
import type { EdgeDirectory } from '../legs/edge-directory.ts';
import type { FollowedCalls } from '../legs/followed-calls.ts';
import type { ControlObserver } from '../observer.ts';
import type { MediaNode } from '../ports.ts';
import type { AppliedTrunks } from '../trunks/apply-trunks.ts';
import type { TrunkDirectory } from '../trunks/trunk-directory.ts';
import type { TakenLease } from './node.store.ts';
import type { NodeClock } from './node-clock.ts';

/** Waiting work: a call for which the node was chosen, one to hang up or to control, or any of them, for any node. */
export type Work = 'call' | 'hangup' | 'control' | 'any';

export interface ControlDeps extends FundDeps {
  db: Database;
  keyRing: KeyRing;
  log: Logger;
  trunks: TrunkDirectory;
  edges: EdgeDirectory;
  callerKeys: CallerKeys;
  observer: ControlObserver;
  /** Calls `wake` when the node has work; returns an unsubscribe function. */
  onWake(node: string, wake: (work: Work) => void): () => void;
  /** Publishes progress of a call that is no event of the log. */
  publishProgress(accountId: number, progress: CallProgress): void;
  onSkew(node: string, skewMs: number): void;
  maxCallsPerNode: number;
  graceMs: number;
}

/** The state of one media node while this process holds its lease. */
export interface Control {
  deps: ControlDeps;
  node: MediaNode;
  lease: TakenLease;
  calls: FollowedCalls;
  moveCall: MoveCall;
  noteAudio: NoteAudio;
  clock: NodeClock;
  /** Time of the oldest unanswered clock probe; null if none. */
  probeSentAt: number | null;
  /** Time of the last answered probe. */
  seenAt: Date;
  recordsCompleteAt: Date | null;
  trunks: AppliedTrunks;
  trunkTests: Set<string>;
  /** Incoming legs being routed, with their owner and, if they have already ended, how they ended. */
  pendingLegs: Map<string, { owner: string; end?: EngineEnd }>;
  /** When the engine's channels were last compared with the calls. */
  comparedAt: Date;
  /** When something last happened that may have left a call without a channel, or a channel without a call. */
  doubtedAt: Date;
  noteDoubt(): void;
  /** How many more calls the node can take; none while it does not respond. */
  freeSlots(): number;
  /** How many of them test accounts may use; legs that are being routed are counted as calls. */
  freeTestSlots(): number;
}
