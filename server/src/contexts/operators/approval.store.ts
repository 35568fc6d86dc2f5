import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { approvalSeconds } from './operator.rules.ts';
import type { NamedOperator, OperatorRole } from './operator.ts';

interface ApprovalDeps {
  db: Database;
  clock: Clock;
}

export interface Approval {
  id: number;
  requestedAt: Date;
  expiresAt: Date;
  requester: NamedOperator;
  command: string;
  /** The command line, without the program. */
  arguments: string[];
  reason: string;
  /** Why it needs a second operator. */
  cause: string;
}

type NewApproval = Pick<Approval, 'requester' | 'command' | 'arguments' | 'reason' | 'cause'>;

export async function requestApproval(tx: Tx, request: NewApproval, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('operator_approvals')
    .values({
      requested_at: at,
      expires_at: secondsAfter(at, approvalSeconds),
      requested_by: request.requester.id,
      command: request.command,
      arguments: JSON.stringify(request.arguments),
      reason: request.reason,
      cause: request.cause,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the requests that wait for a decision. */
export const listApprovals = ({ db, clock }: ApprovalDeps): Promise<Approval[]> =>
  inTransaction(db, (tx) => openApprovals(tx, clock.now()).orderBy('a.id').execute().then(fromRows));

/**
 * Decides about a request once. An operator who approves it must be another one than the requester, who must still be
 * enabled.
 */
export const decideApproval = (
  { db, clock }: ApprovalDeps,
  { id, by, decision }: { id: number; by: NamedOperator; decision: 'approved' | 'rejected' },
  check: (approval: Approval) => void,
): Promise<Approval> =>
  inTransaction(db, async (tx) => {
    const at = clock.now();
    const [approval] = fromRows(await openApprovals(tx, at).where('a.id', '=', id).forUpdate('a').execute());
    if (!approval) throw new Error(`No request ${id} waits. List them with: disca approvals list`);
    if (decision === 'approved' && approval.requester.id === by.id)
      throw new Error('You requested this: another operator has to approve it.');
    check(approval);
    await tx
      .updateTable('operator_approvals')
      .set({ decision, decided_at: at, decided_by: by.id })
      .where('id', '=', id)
      .execute();
    return approval;
  });

const openApprovals = (tx: Tx, at: Date) =>
  tx
    .selectFrom('operator_approvals as a')
    .innerJoin('operators as o', 'o.id', 'a.requested_by')
    .select([
      'a.id',
      'a.requested_at',
      'a.expires_at',
      'a.requested_by',
      'o.name',
      'o.role',
      'a.command',
      'a.arguments',
      'a.reason',
      'a.cause',
    ])
    .where('a.decision', 'is', null)
    .where('a.expires_at', '>', at)
    .where('o.disabled_at', 'is', null);

type Row = Awaited<ReturnType<ReturnType<typeof openApprovals>['execute']>>[number];

const fromRows = (rows: Row[]): Approval[] =>
  rows.map((row) => ({
    id: row.id,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    requester: { id: row.requested_by, name: row.name, role: row.role as OperatorRole },
    command: row.command,
    arguments: row.arguments as string[],
    reason: row.reason,
    cause: row.cause,
  }));
