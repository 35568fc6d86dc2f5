import type { Tx } from '../../platform/db/database.ts';
import { executePrepared, prepared } from '../../platform/db/prepared.ts';

/** The facts about an extension that placing a call needs. */
export interface CallingExtension {
  id: number;
  accountId: number;
  ramal: string;
  domain: string;
  bina: string;
  firstName: string;
  lastName: string;
  email: string;
  userId: number | null;
  recordCalls: boolean;
  autoAnswer: boolean;
  /** Why inbound and internal calls must not ring the extension; null if its owner is available or it has none. */
  unavailability: 'away' | 'do_not_disturb' | null;
  /** Registration of the extension's softphone; absent if none is registered. */
  registration: Registration | undefined;
}

/** Transport of a softphone, and the edge it registered at. */
export interface Registration {
  transport: string;
  edge: number;
}

type Row = Omit<CallingExtension, 'registration'> & { transport: string | null; edge: number | null };

export async function findCallingExtension(
  tx: Tx,
  accountId: number,
  ramal: string,
  at: Date,
): Promise<CallingExtension | undefined> {
  const query = prepared<Row>`
    select e.id, e.account_id as "accountId", e.ramal, a.domain, e.bina, e.first_name as "firstName", e.last_name as "lastName",
           e.email_address as email, e.user_id as "userId", e.record_calls as "recordCalls",
           e.auto_answer as "autoAnswer", nullif(o.availability, 'available') as unavailability, p.transport, p.edge
      from extensions e
      join account_info a on a.id = e.account_id
      left join user_availability o on o.id = e.user_id
      left join extension_presence p on p.extension_id = e.id and p.expires_at > ${at}
     where e.account_id = ${accountId} and e.ramal = ${ramal}`;
  const [row] = await executePrepared(tx, query);
  if (!row) return undefined;
  const { transport, edge, ...extension } = row;
  const registration = transport === null || edge === null ? undefined : { transport, edge };
  return { ...extension, registration };
}
