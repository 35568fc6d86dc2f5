import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLink, openDatabaseLink } from '../../harness/edge/database-link.ts';
import { type EdgeFixture, readPresence, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let link: DatabaseLink;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges(async (url) => {
    link = await openDatabaseLink(url);
    return link.url;
  });
  edge = await fixture.startEdge();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture?.close();
  await link?.close();
});

async function phone(): Promise<SipClient> {
  const client = await openSipClient({ server: edge.public });
  clients.push(client);
  return client;
}

/** Sends a REGISTER with these headers and returns the final response. */
async function send(client: SipClient, who: Credentials, headers: [string, string][]) {
  const address = `<sip:${who.ramal}@${who.domain}>`;
  const answer = await client.askAs(who, {
    startLine: `REGISTER sip:${who.domain} SIP/2.0`,
    headers: [['From', `${address};tag=a`], ['To', address], ...headers],
  });
  if (!answer) throw new Error('There is no response.');
  return answer;
}

const location = (ramal: string) =>
  fixture.database.query<{ ruid: string; callid: string; contact: string }>(
    'select ruid, callid, contact from edge.location where username = $1',
    [ramal],
  );

const names = (statements: string[]): (string | undefined)[] =>
  statements.map((text) => /(\w+)\(/.exec(text)?.[1]);

test('EXT-07 a login, its refresh and a login that replaces it take two statements each', async () => {
  const extension = await fixture.addExtension('2001');
  const [first, second] = [await phone(), await phone()];
  link.takeStatements('2001');
  for (const client of [first, first, second]) {
    expect(statusOf(await client.register(extension))).toBe(200);
    expect(names(link.takeStatements('2001'))).toEqual(['find_credentials', 'keep_login']);
  }
  expect(statusOf(await first.register(extension))).toBe(403);
  expect(names(link.takeStatements('2001'))).toEqual(['find_credentials', 'keep_login']);
});

test('a request without a nonce of an edge takes no statement', async () => {
  const extension = await fixture.addExtension('2002');
  const client = await phone();
  link.takeStatements('2002');
  const answer = await client.ask({
    startLine: `REGISTER sip:${extension.domain} SIP/2.0`,
    headers: [
      ['From', `<sip:2002@${extension.domain}>;tag=a`],
      ['To', `<sip:2002@${extension.domain}>`],
      ['Contact', '<sip:x@127.0.0.1:9>'],
      [
        'Authorization',
        `Digest username="2002", realm="${extension.domain}", nonce="${'x'.repeat(32)}", uri="sip:${extension.domain}", response="${'0'.repeat(32)}"`,
      ],
    ],
  });
  expect(answer && statusOf(answer)).toBe(401);
  expect(link.takeStatements('2002')).toEqual([]);
});

test('EXT-08 of phones that log in at the same time, one is registered, in location and presence', async () => {
  const extension = await fixture.addExtension('2003');
  const phones = await Promise.all(Array.from({ length: 8 }, phone));
  const answers = await Promise.all(phones.map((client) => client.register(extension)));
  expect(answers.map(statusOf)).toEqual(phones.map(() => 200));
  const rows = await location('2003');
  expect(rows).toHaveLength(1);
  expect((await readPresence(fixture.database, extension))?.callId).toBe(rows[0]?.callid);
  const again = await Promise.all(phones.map((client) => client.register(extension)));
  expect(again.map(statusOf).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 403)]);
});

test.for([
  ['Contact', '"Ana, desk" <sip:2004@127.0.0.1:9;ob>;q=0.5;expires=90;+sip.instance="<urn:uuid:1>"', 90],
  ['m', '<sip:2004@127.0.0.1:9>;Expires=100', 100],
  ['contact', 'sip:2004@127.0.0.1:9;expires=110', 110],
  ['Contact', '<sips:2004@127.0.0.1:9>', 120],
  ['Contact', '<sip:2004@127.0.0.1:9>;expires=soon', 300],
] as const)('a registration with %s: %s is granted %i s', async ([name, contact, seconds]) => {
  const extension = await fixture.addExtension(`24${seconds}`);
  const answer = await send(await phone(), extension, [[name, contact]]);
  expect(statusOf(answer)).toBe(200);
  const uri = /sips?:[^;>]*/.exec(contact)?.[0] ?? '';
  expect(headerOf(answer, 'Contact')).toMatch(new RegExp(`^<${uri}[^>]*>;expires=${seconds}$`));
  expect((await location(extension.ramal))[0]?.contact).toContain(uri);
});

test.for(['<tel:+5511987654321>', '<sip:>', '<>', 'nonsense', `<sip:a@127.0.0.1;x=${'y'.repeat(1_000)}>`])(
  'a registration with the contact %s is rejected with 400',
  async (contact) => {
    const extension = await fixture.addExtension(`25${contact.length}`);
    expect(statusOf(await send(await phone(), extension, [['Contact', contact]]))).toBe(400);
    expect(await location(extension.ramal)).toEqual([]);
  },
);

test('a request that was overtaken by a later one of the same login is rejected', async () => {
  const extension = await fixture.addExtension('2006');
  const client = await phone();
  const contact: [string, string] = ['Contact', '<sip:2006@127.0.0.1:9>'];
  const numbered = (sequence: number): [string, string][] => [contact, ['CSeq', `${sequence} REGISTER`]];
  expect(statusOf(await send(client, extension, numbered(20)))).toBe(200);
  expect(statusOf(await send(client, extension, numbered(19)))).toBe(400);
  expect(statusOf(await send(client, extension, numbered(20)))).toBe(200);
});

test('EXT-17 a login whose password changed after it was verified is not kept', async () => {
  const extension = await fixture.addExtension('2007');
  const [row] = await fixture.database.query<{ kept: number }>(
    `select edge.keep_login($1, '2007', md5('before'), '61', 1, '7369703a6140622e63', '', 'sip:127.0.0.1:9',
                            'udp:127.0.0.1:5060', 'udp', '127.0.0.1|2007', 120, 1, -1, 30) as kept`,
    [extension.domain],
  );
  expect(row).toEqual({ kept: -2 });
  expect(await location('2007')).toEqual([]);
});

test('presence follows the statements of an edge of release 0.1, beside those of a newer one', async () => {
  const extension = await fixture.addExtension('2008');
  const client = await phone();
  expect(statusOf(await client.register({ ...extension, expiresSeconds: 60 }))).toBe(200);
  const presence = async () => await readPresence(fixture.database, extension);
  const { query } = fixture.database;
  const expiry = async () =>
    (
      await query<{ at: string }>(`select expires_at::text as at from extension_presence p
      join extensions e on e.id = p.extension_id where e.ramal = '2008'`)
    )[0]?.at;
  const before = await expiry();
  const [row] = await location('2008');

  await query('update edge.location set expires = expires + 100, q = q where ruid = $1', [row?.ruid]);
  expect(await expiry()).not.toBe(before);
  await query(
    `insert into edge.location (ruid, username, domain, contact, received, expires, callid, cseq, last_modified, socket)
     values ('uloc-1', '2008', $1, 'sip:b@192.0.2.1', 'sip:192.0.2.1:5060', extract(epoch from now())::bigint + 100,
             'other', 1, 0, 'udp:192.0.2.2:5060')`,
    [extension.domain],
  );
  await query('delete from edge.location where ruid = $1', [row?.ruid]);
  expect(await presence()).toMatchObject({ isRegistered: true, callId: 'other' });
  expect((await client.register(extension)).startLine).toBe('SIP/2.0 403 Replaced By A Newer Login');

  const newest = await phone();
  expect(statusOf(await newest.register(extension))).toBe(200);
  expect((await location('2008')).map(({ callid }) => callid)).toEqual([newest.callId]);
  expect(await presence()).toMatchObject({ isRegistered: true, callId: newest.callId });
});

test('expired addresses of phones and all but the newest 20 replaced logins of a day are deleted', async () => {
  const { query } = fixture.database;
  await query(`insert into edge.known_phones (key_name, expires)
    values ('old', extract(epoch from now())::bigint - 1), ('new', extract(epoch from now())::bigint + 60)`);
  await query(`insert into edge.replaced_logins (domain, username, call_id_hash, replaced_at)
    select 'a.test', '1', n::text, now() - make_interval(mins => n) from generate_series(1, 25) n
    union all select 'a.test', '2', n::text, now() - make_interval(hours => 12 * n) from generate_series(1, 3) n`);
  await query('select edge.sweep_logins(1000)');
  expect(await query(`select key_name from edge.known_phones where key_name in ('old', 'new')`)).toEqual([
    { key_name: 'new' },
  ]);
  const kept = await query(
    `select username, count(*)::int, max(call_id_hash::int) as oldest from edge.replaced_logins
      where domain = 'a.test' group by username order by username`,
  );
  expect(kept).toEqual([
    { username: '1', count: 20, oldest: 20 },
    { username: '2', count: 1, oldest: 1 },
  ]);
});
