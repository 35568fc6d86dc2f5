import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Accounts } from '../../platform/db/schema.ts';

export interface AccountSummary {
  id: number;
  uuid: string;
  domain: string;
  name: string;
  email: string;
  phone: string;
  status: string;
  mode: string;
  timezone: string;
  addressProved: boolean;
  createdAt: Date;
  /** When the account asked for live mode; null if no request waits. */
  liveRequestedAt: Date | null;
  /** Since when the account waits for the operator's approval; null if it does not. */
  awaitsApprovalSince: Date | null;
}

export interface AccountFilter {
  mode?: 'test' | 'live';
  status?: string;
  /** Only accounts that wait for the operator: for approval, or for live mode. */
  isWaiting?: boolean;
  /** Part of the domain, name or e-mail. */
  search?: string;
  most: number;
}

const columns = [
  'id',
  'uuid',
  'domain',
  'name',
  'email',
  'phone',
  'status',
  'mode',
  'timezone',
  'address_proved',
  'created_at',
  'live_requested_at',
  'awaits_approval_since',
] as const;

const fromRow = ({
  address_proved: addressProved,
  created_at: createdAt,
  live_requested_at: liveRequestedAt,
  awaits_approval_since: awaitsApprovalSince,
  ...rest
}: Pick<Selectable<Accounts>, (typeof columns)[number]>): AccountSummary => ({
  ...rest,
  addressProved,
  createdAt,
  liveRequestedAt,
  awaitsApprovalSince,
});

/** When an account began to wait for the operator. One whose address is not confirmed does not wait yet. */
const waitingSince = sql<Date | null>`least(live_requested_at, case when status = 'active' then awaits_approval_since end)`;

/** Needs the rights of operators: the service cannot read all accounts. */
export async function findSummary(
  tx: Tx,
  key: { id: number } | { uuid: string } | { domain: string },
): Promise<AccountSummary | undefined> {
  const [[column, value]] = Object.entries(key) as [['id' | 'uuid' | 'domain', string | number]];
  const row = await tx.selectFrom('accounts').select(columns).where(column, '=', value).executeTakeFirst();
  return row && fromRow(row);
}

/** Returns the newest accounts; those that wait, in the order in which they asked. */
export async function findSummaries(tx: Tx, filter: AccountFilter): Promise<AccountSummary[]> {
  const { mode, status, isWaiting, search, most } = filter;
  const text = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await tx
    .selectFrom('accounts')
    .select(columns)
    .$if(mode !== undefined, (query) => query.where('mode', '=', mode ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .$if(isWaiting === true, (query) => query.where(waitingSince, 'is not', null))
    .$if(text !== undefined, (query) =>
      query.where((of) =>
        of.or((['domain', 'name', 'email'] as const).map((name) => of(name, 'ilike', text ?? ''))),
      ),
    )
    .orderBy(isWaiting ? waitingSince : sql`id`, isWaiting ? 'asc' : 'desc')
    .limit(most)
    .execute();
  return rows.map(fromRow);
}

/** Returns false if the account is no longer in the expected state. */
export async function setStatus(
  tx: Tx,
  seen: { id: number; status: string },
  status: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ status, updated_at: at })
    .where('id', '=', seen.id)
    .where('status', '=', seen.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the wait for approval. Returns false if the account no longer waits. */
export async function approve(tx: Tx, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ awaits_approval_since: null, updated_at: at })
    .where('id', '=', id)
    .where('awaits_approval_since', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets the mode. A request for live mode no longer waits. */
export async function setMode(tx: Tx, id: number, mode: string, at: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ mode, live_requested_at: null, updated_at: at })
    .where('id', '=', id)
    .execute();
}
