import { digestKeys } from '../../harness/digest-keys.ts';
import type { Credentials } from '../../harness/edge/sip-client.ts';
import type { Address } from '../../harness/edge/sip-transport.ts';

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** A phone of the crowd: its credentials and source address. Twenty phones share the router of an office. */
export interface CrowdPhone extends Credentials {
  address: string;
}

export const phonesEach = 100;
const phonesAnOffice = 20;
const officesANetwork = 250;
const firstRamal = 1000;

export function crowdPhone(index: number): CrowdPhone {
  const domain = `crowd-${Math.floor(index / phonesEach)}.disca.test`;
  const ramal = String(firstRamal + (index % phonesEach));
  const office = Math.floor(index / phonesAnOffice);
  const address = `127.200.${Math.floor(office / officesANetwork)}.${(office % officesANetwork) + 1}`;
  return { ramal, domain, senha: `${ramal}-${domain}`, address };
}

/**
 * Inserts `count` extensions, a hundred per account, with SQL instead of the API. Their HA1s are sealed, and also stored as
 * they are for edges that cannot open them.
 */
export async function addCrowd(query: Query, count: number): Promise<void> {
  await query(
    `insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
     select gen_random_uuid(), format('crowd-%s.disca.test', n), 'Crowd', format('a@crowd-%s.test', n), '', '', '',
            'active', 'test', now(), now()
       from generate_series(0, $1::int) n`,
    [Math.ceil(count / phonesEach) - 1],
  );
  await query(
    `insert into extensions (account_id, ramal, senha_sealed, ha1, first_name, last_name, email_address, record_calls,
                             created_at, updated_at)
     select a.id, p.ramal, '', md5(format('%1$s:%2$s:%1$s-%2$s', p.ramal, p.domain)), 'Ana', 'Lima', 'ana@crowd.test',
            false, now(), now()
       from (${phones}) p join accounts a on a.domain = p.domain`,
    [count],
  );
  await sealCrowd(query);
  await query('analyze accounts, extensions');
}

async function sealCrowd(query: Query): Promise<void> {
  const rows = await query(
    `select e.id, e.ramal as username, a.domain, e.ha1 from extensions e join accounts a on a.id = e.account_id
      where a.domain like 'crowd-%' and e.ha1_sealed is null`,
  );
  const sealed = rows.map((row) =>
    digestKeys.seal('k1', { username: String(row.username), domain: String(row.domain) }, String(row.ha1)),
  );
  await query(
    `update extensions e set ha1_sealed = s.sealed from unnest($1::bigint[], $2::text[]) as s (id, sealed)
      where e.id = s.id`,
    [rows.map(({ id }) => id), sealed],
  );
}

/** Inserts the rows that registrations at this edge would create; the triggers run as for registrations. */
export async function registerCrowd(query: Query, count: number, edge: Address): Promise<void> {
  await query(
    `insert into edge.location (ruid, username, domain, contact, received, expires, callid, cseq, last_modified, cflags,
                                user_agent, socket, methods, server_id, connection_id, keepalive, partition)
     select format('crowd-%s', n), ramal, domain, format('sip:%s@10.0.0.1:5060', ramal), format('sip:%s:5060', address),
            extract(epoch from now())::bigint + 7200, format('crowd-%s', n), 1, extract(epoch from now())::bigint, 64,
            'Crowd', $2, 5951, 1, -1, 1, n % 30
       from (${phones}) p`,
    [count, `udp:${edge.address}:${edge.port}`],
  );
  await query('analyze edge.location, edge.known_phones, extension_presence');
}

/** Must match the values of crowdPhone. */
const phones = `
  select n, format('crowd-%s.disca.test', n / ${phonesEach}) as domain, (${firstRamal} + n % ${phonesEach})::text as ramal,
         format('127.200.%s.%s', n / ${phonesAnOffice} / ${officesANetwork},
                n / ${phonesAnOffice} % ${officesANetwork} + 1) as address
    from generate_series(0, $1::int - 1) n`;
