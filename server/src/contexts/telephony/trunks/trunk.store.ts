import type { Selectable } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Trunks } from '../../../platform/db/schema.ts';
import type { SealedLogin, Trunk } from './trunk.ts';

const columns = [
  'id',
  'name',
  'mode',
  'address',
  'prefixes',
  'priority',
  'default_caller_id',
  'caller_id_rule',
  'strip_digits',
  'add_digits',
  'transport',
  'srtp',
  'outbound_user',
  'outbound_password_sealed',
  'inbound_user',
  'inbound_password_sealed',
  'changed_at',
  'enabled',
] as const;

const fromRow = (row: Pick<Selectable<Trunks>, (typeof columns)[number]>): Trunk => ({
  id: row.id,
  name: row.name,
  mode: row.mode as Trunk['mode'],
  address: row.address,
  prefixes: row.prefixes,
  priority: row.priority,
  defaultCallerId: row.default_caller_id,
  callerIdRule: row.caller_id_rule as Trunk['callerIdRule'],
  stripDigits: row.strip_digits,
  addDigits: row.add_digits,
  transport: row.transport as Trunk['transport'],
  srtp: row.srtp,
  outboundLogin: loginOf(row.outbound_user, row.outbound_password_sealed),
  inboundLogin: loginOf(row.inbound_user, row.inbound_password_sealed),
  changedAt: row.changed_at,
  enabled: row.enabled,
});

const loginOf = (user: string | null, passwordSealed: string | null): SealedLogin | null =>
  user === null || passwordSealed === null ? null : { user, passwordSealed };

/** Safety limit; installations have a handful. */
const maxTrunks = 1_000;

export async function findTrunks(db: Database): Promise<Trunk[]> {
  const rows = await db.kysely
    .selectFrom('trunks')
    .select(columns)
    .orderBy('mode')
    .orderBy('priority')
    .orderBy('id')
    .limit(maxTrunks)
    .execute();
  return rows.map(fromRow);
}

export async function findTrunk(tx: Tx, name: string): Promise<Trunk | undefined> {
  const row = await tx
    .selectFrom('trunks')
    .select(columns)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Inserts a trunk; returns false if the name is taken. */
export async function insertTrunk(
  tx: Tx,
  trunk: Omit<Trunk, 'id' | 'changedAt'>,
  at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('trunks')
    .values({
      name: trunk.name,
      mode: trunk.mode,
      address: trunk.address,
      prefixes: trunk.prefixes,
      priority: trunk.priority,
      default_caller_id: trunk.defaultCallerId,
      caller_id_rule: trunk.callerIdRule,
      strip_digits: trunk.stripDigits,
      add_digits: trunk.addDigits,
      enabled: trunk.enabled,
      created_at: at,
      changed_at: at,
      ...securityColumns(trunk),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Secured = Pick<Trunk, 'transport' | 'srtp' | 'outboundLogin' | 'inboundLogin'>;

const securityColumns = ({ transport, srtp, outboundLogin, inboundLogin }: Secured) => ({
  transport,
  srtp,
  outbound_user: outboundLogin?.user ?? null,
  outbound_password_sealed: outboundLogin?.passwordSealed ?? null,
  inbound_user: inboundLogin?.user ?? null,
  inbound_password_sealed: inboundLogin?.passwordSealed ?? null,
});

/** Replaces the address of a trunk and how it is protected. */
export async function updateConnection(
  tx: Tx,
  id: number,
  trunk: Secured & Pick<Trunk, 'address' | 'changedAt'>,
): Promise<void> {
  await tx
    .updateTable('trunks')
    .set({ address: trunk.address, changed_at: trunk.changedAt, ...securityColumns(trunk) })
    .where('id', '=', id)
    .execute();
}

/** Enables or disables a trunk; returns false if it does not exist. */
export async function setEnabled(tx: Tx, name: string, enabled: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('trunks')
    .set({ enabled })
    .where('name', '=', name)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTrunk(tx: Tx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('trunks').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
