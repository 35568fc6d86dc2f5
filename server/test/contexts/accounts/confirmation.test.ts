import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailSink } from '../../../../simulator/mail-sink/index.ts';
import { createAccount, password, signupBody } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const hour = 3600;

let platform: Platform;
let sink: MailSink;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  sink = await platform.mail();
});
afterAll(() => platform.close());

async function signUp(headers: Record<string, string> = {}): Promise<string> {
  const body = signupBody();
  const answer = await platform.client().post('/accounts/signup', body, { headers });
  expect(answer.status).toBe(201);
  return String(body.email);
}

/** Returns the link from the newest mail to this address, once `count` mails have arrived. */
async function readMailedLink(email: string, count = 1): Promise<string> {
  const sent = () => sink.messages(email);
  await sink.waitFor(() => sent().length >= count);
  const link = sent()[0]?.links.find((each) => each.includes('/accounts/confirm'));
  if (!link) throw new Error(`The mail to ${email} has no confirmation link.`);
  return link;
}

const open = (link: string) => {
  const { pathname, search } = new URL(link);
  return platform.client().get(pathname.replace('/api/v1', '') + search);
};

const logIn = (email: string) => platform.client().post('/users/login', { email, password });

async function queuedMails(): Promise<number> {
  return (await platform.database.query(`select from pgboss.job where name = 'mail.send'`)).length;
}

async function readStatus(email: string): Promise<unknown> {
  const [row] = await platform.database.query(
    'select status, email_verified from accounts join users on users.account_id = accounts.id where users.email = $1',
    [email],
  );
  return row;
}

test('SIGNUP-10 SIGNUP-17 the mailed link activates the account and redirects to the console', async () => {
  const email = await signUp();
  const link = await readMailedLink(email);

  expect(link).toMatch(/^http:\/\/api\.disca\.test\/api\/v1\/accounts\/confirm\?token=[\w.-]+$/);
  expect(await readStatus(email)).toEqual({ status: 'pending', email_verified: false });
  const answer = await open(link);
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toMatch(
    /^http:\/\/console\.disca\.test\/login\?proof=[\w.-]+&confirmation=confirmed$/,
  );
  expect(await readStatus(email)).toEqual({ status: 'active', email_verified: true });
  expect((await logIn(email)).status).toBe(200);
});

test('SIGNUP-11 no user of the account can log in before the link is opened', async () => {
  const email = await signUp();
  const account = `(select account_id from users where email = $1)`;
  await platform.database.query(
    `insert into users (uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
                        password_changed_at, created_at, updated_at)
     select gen_random_uuid(), account_id, 'Colega', 'colega@pendente.test', phone, 'USER', locale, true, password_hash,
            password_changed_at, created_at, updated_at from users where account_id = ${account}`,
    [email],
  );

  for (const who of [email, 'colega@pendente.test']) {
    const refused = await logIn(who);
    expect(refused.status).toBe(401);
    expect(refused.body.error.errorCode).toBe('LOGIN_FAILED_EMAIL_NOT_VERIFIED');
  }
  await open(await readMailedLink(email));
  for (const who of [email, 'colega@pendente.test']) expect((await logIn(who)).status).toBe(200);
});

test('SIGNUP-12 the link still works after a mail scanner opened it, for 48 hours', async () => {
  const email = await signUp();
  const link = await readMailedLink(email);

  for (let opened = 0; opened < 3; opened++) {
    expect((await open(link)).headers.location).toMatch(/confirmation=confirmed$/);
  }
  platform.clock.advance(48 * hour - 60);
  expect((await open(link)).headers.location).toMatch(/confirmation=confirmed$/);
  expect((await logIn(email)).status).toBe(200);
});

test('SIGNUP-12 a link first opened within 48 hours of sign-up works, later it does not', async () => {
  const [inTime, late] = [await signUp(), await signUp()];
  const links = [await readMailedLink(inTime), await readMailedLink(late)] as const;

  platform.clock.advance(48 * hour - 60);
  expect((await open(links[0])).headers.location).toMatch(/confirmation=confirmed$/);
  platform.clock.advance(120);
  const answer = await open(links[1]);
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toBe('http://console.disca.test/login?confirmation=expired');
  expect(await readStatus(late)).toEqual({ status: 'pending', email_verified: false });
  expect((await logIn(late)).status).toBe(401);
});

test('SIGNUP-17 an altered token, one for another purpose and none activate nothing', async () => {
  const email = await signUp();
  const link = new URL(await readMailedLink(email));
  const token = link.searchParams.get('token') ?? '';
  const [id, body, signature] = token.split('.');
  const other = platform.api.base.keyRing.sign('reset-password', { user: email }, new Date(Date.now() + 9e8));

  for (const forged of [`${token}x`, `${id}.${body}.`, `${id}.${signature}.${body}`, other, 'x', '..', 'é']) {
    const answer = await platform.client().get('/accounts/confirm', { query: { token: forged } });
    expect(answer.headers.location).toBe('http://console.disca.test/login?confirmation=invalid');
  }
  expect((await platform.client().get('/accounts/confirm')).status).toBe(422);
  expect(await readStatus(email)).toEqual({ status: 'pending', email_verified: false });
});

test('SIGNUP-13 resend always returns 204 and sends a working link to an unconfirmed e-mail', async () => {
  const waiting = await signUp();
  const { admin } = await createAccount(platform);
  await readMailedLink(waiting);
  await readMailedLink(admin.email);
  platform.clock.advance(48 * hour + 1);
  const queued = await queuedMails();

  for (const email of [waiting, admin.email, 'ninguem@empresa.test']) {
    const answer = await platform.client().post('/accounts/signup/resend', { email });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
  }
  expect(await queuedMails()).toBe(queued + 1);
  const fresh = await readMailedLink(waiting, 2);
  expect((await open(fresh)).headers.location).toMatch(/confirmation=confirmed$/);
  expect((await logIn(waiting)).status).toBe(200);
});

test('SIGNUP-10 the confirmation mail is in Portuguese, or in English if preferred', async () => {
  const portuguese = await signUp();
  const english = await signUp({ 'accept-language': 'en-GB,en;q=0.9' });
  await Promise.all([readMailedLink(portuguese), readMailedLink(english)]);
  expect(sink.messages(portuguese)[0]?.subject).toMatch(/confirm[ea]/i);
  expect(sink.messages(portuguese)[0]?.text).toMatch(/\be-mail\b[\s\S]*\bhoras\b/);
  expect(sink.messages(english)[0]?.text).toMatch(/\bhours\b/);
});
