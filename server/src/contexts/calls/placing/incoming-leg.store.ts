import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { Lease } from '../call.ts';

/** Returns the account of the SIP domain, if it may call, the source is an edge and the lease is current. */
export async function findAccountOfPhone(
  db: Database,
  { node, epoch }: Lease,
  { domain, passedOnBy }: { domain: string; passedOnBy: string },
): Promise<number | undefined> {
  const query = prepared<{ accountId: number | null }>`
    select account_of_phone(${domain}, ${passedOnBy}, ${node}, ${epoch}) as "accountId"`;
  const [row] = await queryPrepared(db, query);
  return row?.accountId ?? undefined;
}

/** Returns the owner of a number, and the extension that rings for it. */
export async function findExtensionOfNumber(
  db: Database,
  { node, epoch }: Lease,
  number: string,
  modes: string[],
  at: Date,
): Promise<{ accountId: number; ramal: string } | undefined> {
  const query = prepared<{ accountId: number; ramal: string }>`
    select account_id as "accountId", ramal from extension_of_number(${number}, ${modes}, ${at}, ${node}, ${epoch})`;
  const [row] = await queryPrepared(db, query);
  return row;
}

/** Returns the running calls from outside to this number. */
export async function countInboundCalls(tx: Tx, accountId: number, number: string): Promise<number> {
  const query = prepared<{ running: number }>`
    select count(*) as running from live_calls
     where account_id = ${accountId} and kind = 'inbound' and order_data->>'destination' = ${number}`;
  const [row] = await executePrepared(tx, query);
  return row?.running ?? 0;
}

/** Returns false if the node is draining or leased to another process, which edges learn with a delay. */
export async function mayTakeCalls(db: Database, { node, epoch }: Lease): Promise<boolean> {
  const lease = await db.kysely
    .selectFrom('node_leases')
    .select('name')
    .where('name', '=', node)
    .where('epoch', '=', epoch)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return lease !== undefined;
}
