import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scramVerifier } from '../../src/main/scram-verifier.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
const role = `scram_${randomBytes(6).toString('hex')}`;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  await database.query(`drop role if exists ${role}`);
  await database.drop();
});

it.each(['ab12CD/+=', 'senha com ç e “aspas”'])(
  'the verifier of %s is the one that PostgreSQL stores',
  async (password) => {
    await database.query(`set password_encryption = 'scram-sha-256'`);
    await database.query(`drop role if exists ${role}`);
    await database.query(`create role ${role} login password '${password}'`);
    const [kept] = await database.query<{ rolpassword: string }>(
      'select rolpassword from pg_authid where rolname = $1',
      [role],
    );
    const salt = Buffer.from(/:([^$]+)\$/.exec(kept?.rolpassword ?? '')?.[1] ?? '', 'base64');
    expect(scramVerifier(password, salt)).toBe(kept?.rolpassword);
  },
);

it('PostgreSQL stores our verifier unchanged', async () => {
  const verifier = scramVerifier('ab12CD');
  await database.query(`drop role if exists ${role}`);
  await database.query(`create role ${role} login password '${verifier}'`);
  expect(await database.query('select rolpassword from pg_authid where rolname = $1', [role])).toEqual([
    { rolpassword: verifier },
  ]);
});
