import type { Origin } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { insertEntry } from './audit.store.ts';

export interface Actor {
  /** Null for an operator. */
  uuid: string | null;
  /** E-mail of a user; `operator` and the name of an operator. */
  email: string;
}

export interface Change {
  accountId: number;
  at: Date;
  /** Null for the operator. */
  actor: Actor | null;
  origin: Origin;
  /** The action, as `noun.verb`. */
  action: string;
  target: { type: string; id: string };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Writes the audit entry in the transaction of the change. `before` and `after` must not contain secrets. */
export async function recordChange(tx: Tx, change: Change): Promise<void> {
  const [before, after] = onlyDifferent(change.before, change.after);
  await insertEntry(tx, { ...change, id: uuidv7(change.at), before, after });
}

/** A user who changes their own account: the caller of a request, or the person who accepts an invitation. */
export interface Author extends Actor {
  accountId: number;
  origin: Origin;
}

/** Writes the audit entry of a change that a user made in their own account. */
export const recordChangeBy = (
  tx: Tx,
  author: Author,
  change: Omit<Change, 'accountId' | 'actor' | 'origin'>,
): Promise<void> =>
  recordChange(tx, { ...change, accountId: author.accountId, actor: author, origin: author.origin });

type Side = Record<string, unknown> | undefined;

/** Keeps only the fields that an update changed. */
function onlyDifferent(before: Side, after: Side): [Side, Side] {
  if (!before || !after) return [before, after];
  const changed = Object.keys(after).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (side: Record<string, unknown>) =>
    Object.fromEntries(changed.map((key) => [key, side[key] ?? null]));
  return [pick(before), pick(after)];
}
