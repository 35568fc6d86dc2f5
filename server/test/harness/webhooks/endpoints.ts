import { newSecretSealed } from '../../../src/contexts/integrations/secret.ts';
import type { KeyRing } from '../../../src/platform/keyring.ts';
import { insertPlainAccounts, type OwnerQuery } from '../fixtures/billing-rows.ts';

/** An endpoint at a host that is limited as a whole. */
export interface Endpoint {
  url: string;
  host: string;
}

/**
 * Inserts accounts, each with a call, an ADMIN and a proven endpoint that subscribes to ended calls. An endpoint that is
 * given by its URL has its own host.
 */
export async function insertEndpoints(
  query: OwnerQuery,
  keyRing: KeyRing,
  endpoints: (string | Endpoint)[],
): Promise<number[]> {
  const accounts = await insertPlainAccounts(query, endpoints.length);
  const rows = accounts.map((account, index) => {
    const endpoint = endpoints[index] ?? '';
    return {
      account,
      ...(typeof endpoint === 'string' ? { url: endpoint, host: endpoint } : endpoint),
      secret: newSecretSealed(keyRing),
    };
  });
  await query(
    `with r as (
       select r.*, gen_random_uuid() as uuid from jsonb_to_recordset($1)
         as r (account bigint, url text, host text, secret text)
     ), u as (
       insert into users (uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
         password_changed_at, created_at, updated_at)
       select uuid, account, 'Ana', uuid || '@empresa.test', '5511987654321', 'ADMIN', 'en', true, '', now(), now(), now()
         from r
       returning id, account_id
     ), c as (
       insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from",
         "to", email, first_name, last_name, recorded, duration, hangup_cause, ended_by, metadata, timeline)
       select uuidv7_at(now()), account, 'empresa.disca.test', 'test', 'outbound', 'ended', now(), now(), now(), '1000',
         '5511999990016', 'ana@empresa.test', 'Ana', 'Souza', true, 42, 'NORMAL_CLEARING', 'destination',
         '{"deal": "D-1", "gateway": "crm", "nested": {"yes": true}}', '[]' from r
     )
     insert into integrations (account_id, user_id, gateway, webhook, webhook_constraint, constraint_metadata, metadata,
       webhook_url, webhook_host, proven_at, webhook_version, webhook_types, secret_sealed, created_at, updated_at)
     select r.account, u.id, 'crm', true, '{}', '{"gateway": "crm"}', '{}', r.url, r.host, now(), '1.8', '{channel-hangup}', r.secret,
            now(), now()
       from r join u on u.account_id = r.account`,
    [JSON.stringify(rows)],
  );
  await query('analyze accounts, users, integrations, calls');
  return accounts;
}

/** Ends `perAccount` calls in each of these accounts, in round-robin order, at the time of insertion. */
export async function insertHangups(
  query: OwnerQuery,
  accounts: number[],
  perAccount: number,
): Promise<void> {
  await query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     select uuidv7_at(clock_timestamp()), c.account_id, 'channel-hangup', c.id::text,
            jsonb_build_object('sequence', 4, 'call', to_jsonb(c) - 'timeline' ||
              jsonb_build_object('ended_at', clock_timestamp())), now()
       from generate_series(1, $2) as round, calls c where c.account_id = any ($1) order by round, c.account_id`,
    [accounts, perAccount],
  );
}
