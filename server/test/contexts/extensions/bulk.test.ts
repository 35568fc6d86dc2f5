import { beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  admin = account.admin;
});

interface FieldError {
  path: string;
  code: string;
}

const bulk = (extensions: unknown, more: object = {}) =>
  admin.client.post('/extensions/bulk', { extensions, ...more });
const pickErrors = (answer: { body: { error: { details: FieldError[] } } }) =>
  answer.body.error.details.map(({ path, code }) => `${path} ${code}`);
const snapshot = () =>
  platform.database.query('select e.*, (select count(*) from audit_entries) from extensions e order by id');

/** A row with only the required fields. */
const shortRow = (n: number) => ({
  ramal: String(n),
  senha: `s${n}${n}`,
  first_name: 'a',
  last_name: 'b',
  email_address: 'a@b.co',
  gravar_audio: 0,
});

test('EXT-19 creates many in the order sent, each as by POST and each audited', async () => {
  const sent = [
    extensionBody({ ramal: '6002', gravar_audio: true }),
    extensionBody({ ramal: '6001', bina: '5511' }),
  ];
  const { status, body } = await bulk(sent);
  expect(status).toBe(200);
  expect(body).toEqual([
    expect.objectContaining({ ...sent[0], gravar_audio: 1, bina: '', domain: account.domain }),
    expect.objectContaining(sent[1] ?? {}),
  ]);
  for (const extension of body) {
    expect((await admin.client.get(`/extensions/${extension.id}`)).body).toEqual(extension);
    const entries = await platform.database.query(
      `select from audit_entries where action = 'extension.create' and target_id = $1`,
      [String(extension.id)],
    );
    expect(entries).toHaveLength(1);
  }
});

test('EXT-19 reports every error by row, whatever its kind, and creates none', async () => {
  await admin.client.post('/extensions', extensionBody({ ramal: '6100' }));
  const before = await snapshot();
  const answer = await bulk([
    extensionBody({ ramal: '6101' }),
    extensionBody({ ramal: '6100' }),
    extensionBody({ ramal: '1', senha: 'curta', gravar_audio: 2 }),
    extensionBody({ ramal: '6101' }),
    'no row at all',
    extensionBody({ ramal: '61020304', senha: '61020304' }),
    extensionBody({ first_name: undefined, frist_name: 'Ana' }),
    extensionBody({ ramal: '6100', email_address: 'no address' }),
    extensionBody({ ramal: '6108' }),
  ]);
  expect(answer.status).toBe(422);
  expect(answer.body.error).toMatchObject({
    errorCode: 'VALIDATION_ERROR',
    message: '7 of 9 rows are invalid; none was created.',
  });
  expect(pickErrors(answer)).toEqual([
    'extensions.1.ramal duplicate',
    'extensions.2.ramal invalid',
    'extensions.2.senha too_small',
    'extensions.2.gravar_audio invalid_value',
    'extensions.3.ramal duplicate',
    'extensions.4 invalid_type',
    'extensions.5.senha invalid',
    'extensions.6.first_name required',
    'extensions.6.frist_name unknown_field',
    'extensions.7.email_address invalid_format',
    'extensions.7.ramal duplicate',
  ]);
  const unknown = answer.body.error.details.find(({ code }: FieldError) => code === 'unknown_field');
  expect(unknown.message).toContain('`first_name`');
  expect(await snapshot()).toEqual(before);
});

test('EXT-19 valid rows are checked against each other and the account, all or none', async () => {
  await admin.client.post('/extensions', extensionBody({ ramal: '6200' }));
  const before = await snapshot();
  const answer = await bulk(['6201', '6200', '6201'].map((ramal) => extensionBody({ ramal })));
  expect(pickErrors(answer)).toEqual(['extensions.1.ramal duplicate', 'extensions.2.ramal duplicate']);
  expect(await snapshot()).toEqual(before);
  const other = await createAccount(platform);
  const theirs = await other.admin.client.post('/extensions/bulk', {
    extensions: [extensionBody({ ramal: '6200' })],
  });
  expect(theirs.status).toBe(200);
});

test('EXT-19 accepts 1 to 500 rows, and reports more than a hundred errors', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => shortRow(50_000 + index));
  const wrong = await bulk(rows.map((row) => ({ ...row, senha: 'curta' })));
  expect(pickErrors(wrong)).toEqual(rows.map((_, index) => `extensions.${index}.senha too_small`));
  expect((await bulk(rows)).body).toHaveLength(500);
  expect(pickErrors(await bulk([...rows, shortRow(60_000)]))).toEqual(['extensions too_big']);
  expect(pickErrors(await bulk([]))).toEqual(['extensions too_small']);
});

test('EXT-19 a body without rows is rejected like any other', async () => {
  expect(pickErrors(await bulk(undefined))).toEqual(['extensions required']);
  expect(pickErrors(await bulk('x'))).toEqual(['extensions invalid_type']);
  expect(pickErrors(await bulk([{}], { extra: 1 }))).toContain('extra unknown_field');
  expect((await admin.client.post('/extensions/bulk')).status).toBe(422);
  const asked = await admin.client.post('/extensions/bulk?page=1', { extensions: [extensionBody()] });
  expect([asked.status, asked.body.error.errorCode]).toEqual([400, 'UNKNOWN_PARAMETER']);
});

test('EXT-21 a dry run creates nothing, reserves no number, and fails like the real run', async () => {
  const before = await snapshot();
  const rows = ['6301', '6302'].map((ramal) => extensionBody({ ramal }));
  const { status, body } = await bulk(rows, { dryRun: true });
  expect([status, body]).toEqual([200, []]);
  expect(await snapshot()).toEqual(before);
  const faulty = [...rows, extensionBody({ ramal: '6301' }), extensionBody({ ramal: '1' }), 'no row'];
  const [dry, real] = [await bulk(faulty, { dryRun: true }), await bulk(faulty)];
  expect(dry.status).toBe(422);
  expect(pickErrors(dry)).toHaveLength(3);
  expect(dry.body).toEqual(real.body);
  expect(await snapshot()).toEqual(before);
  expect((await bulk(rows, { dryRun: false })).body).toHaveLength(2);
  expect(pickErrors(await bulk(rows, { dryRun: true }))).toEqual([
    'extensions.0.ramal duplicate',
    'extensions.1.ramal duplicate',
  ]);
  expect(pickErrors(await bulk([extensionBody()], { dryRun: 'yes' }))).toEqual(['dryRun invalid_type']);
});
