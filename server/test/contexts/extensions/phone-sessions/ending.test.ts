import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SessionFixture, startSessionFixture } from '../../../harness/fixtures/phone-sessions.ts';
import { until } from '../../../harness/until.ts';

let fixture: SessionFixture;

beforeAll(async () => {
  fixture = await startSessionFixture();
});
afterAll(() => fixture?.close());

test.for([
  ['ended', 'update phone_sessions set ended_at = now() where id = $1'],
  ['removed', 'delete from phone_sessions where id = $1'],
] as const)('EXT-18 a login that arrives while its session is being %s is not kept', async ([, change]) => {
  const { database } = fixture.platform;
  const extension = await fixture.newExtension();
  const { id, identity } = await fixture.open(extension);
  const [ending, login] = await Promise.all([connect(), connect()]);
  await ending.query('begin');
  await ending.query(change, [id]);
  // Sent by the edge once it has verified the password.
  const kept = login.query(
    `select edge.keep_login($1, $2, '', '61', 1, '7369703a6140622e63', '', 'sip:127.0.0.1:9', 'udp:127.0.0.1:5060',
                            'udp', '127.0.0.1|1', 120, 1, -1, 30) as seconds`,
    [extension.domain, identity],
  );
  await until(async () => {
    const waiting = await database.query(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%keep_login%'`,
    );
    return waiting.length > 0;
  }, 'the login waits');
  await ending.query('commit');
  expect((await kept).rows).toEqual([{ seconds: -1 }]);
  expect(await fixture.isRegistered(extension)).toBe(false);
  await Promise.all([ending.end(), login.end()]);
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: fixture.platform.database.ownerUrl });
  await client.connect();
  return client;
}
