import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { linkTo, mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, password, signupBody } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

interface SignedUp {
  email: string;
  domain: string;
  /** What the page of the link sends with the login. */
  proof: string;
}

/** Signs up and opens the link, as a mail scanner does. */
async function signUpAndScan(): Promise<SignedUp> {
  const body = signupBody({ email: `${randomUUID()}@example.com` });
  const email = String(body.email);
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  return { email, domain: String(body.domain), proof: (await openLink(email, 'confirm-email')) ?? '' };
}

async function openLink(email: string, template: 'confirm-email' | 'confirm-new-address') {
  const { pathname, search } = await linkTo(platform, email, template);
  const { headers } = await platform.client().get(pathname.replace('/api/v1', '') + search);
  return new URL(String(headers.location)).searchParams.get('proof');
}

const logInOnPage = ({ email }: SignedUp, addressProof: string) =>
  platform.client().post('/console/session', { email, password, addressProof });

/** Returns the error codes of what needs a proved address; undefined for what is not refused for it. */
async function refusals({ email, domain }: SignedUp) {
  const login = await platform.client().post('/users/login', { email, password });
  expect(login.status).toBe(200);
  const client = platform.client(login.body.id);
  const invited = await client.post('/users/invitations', {
    email: `${randomUUID()}@example.com`,
    role: 'USER',
  });
  const callerId = await client.post('/callerIds', { number: '5511987654321' });
  const { code, err } = await runOperator(platform, ['account', 'go-live', domain]);
  const mode = code === 0 ? 'live' : /not proved/.test(err) ? 'unproved' : err;
  return [invited.body.error?.errorCode, callerId.body.error?.errorCode, mode];
}

const unproved = ['ADDRESS_UNPROVEN', 'ADDRESS_UNPROVEN', 'unproved'];

test('SIGNUP-22 an account that only a mail scanner has confirmed can log in, but not invite, add caller ids or go live', async () => {
  const signedUp = await signUpAndScan();
  expect(await refusals(signedUp)).toEqual(unproved);
});

test('SIGNUP-22 a login on the page of the link proves the address, once in the audit log', async () => {
  const signedUp = await signUpAndScan();
  expect((await logInOnPage(signedUp, signedUp.proof)).status).toBe(204);
  const [invited, callerId, mode] = await refusals(signedUp);
  expect(invited).toBeUndefined();
  expect(callerId).not.toBe('ADDRESS_UNPROVEN');
  expect(mode).toBe('live');
  expect((await logInOnPage(signedUp, signedUp.proof)).status).toBe(204);
  const entries = await platform.database.query(
    `select from audit_entries where action = 'account.prove-address' and actor_email = $1`,
    [signedUp.email],
  );
  expect(entries).toHaveLength(1);
  expect(await openLink(signedUp.email, 'confirm-email')).toBeNull();
});

test('SIGNUP-22 a forged proof and that of another user prove nothing and do not prevent the login', async () => {
  const signedUp = await signUpAndScan();
  const other = await signUpAndScan();
  for (const proof of ['', 'k1.e30.x', other.proof])
    expect((await logInOnPage(signedUp, proof)).status).toBe(204);
  expect(await refusals(signedUp)).toEqual(unproved);
});

test('SIGNUP-22 a wrong password on the page of the link proves nothing', async () => {
  const signedUp = await signUpAndScan();
  const { email, proof } = signedUp;
  const body = { email, password: 'not the password', addressProof: proof };
  expect((await platform.client().post('/console/session', body)).status).toBe(401);
  expect(await refusals(signedUp)).toEqual(unproved);
});

test('SIGNUP-22 a new password that is set with a mailed link proves the address', async () => {
  const signedUp = await signUpAndScan();
  await platform.client().post('/users/reset', { email: signedUp.email });
  const token = tokenFrom(await linkTo(platform, signedUp.email, 'reset-password'));
  expect((await platform.client().post('/users/reset-password', { token, password })).status).toBe(204);
  expect((await refusals(signedUp))[0]).toBeUndefined();
});

test('SIGNUP-23 a confirmed address that is not proved gets a new link, a proved one gets none', async () => {
  const signedUp = await signUpAndScan();
  const resend = () => platform.client().post('/accounts/signup/resend', { email: signedUp.email });
  expect((await resend()).status).toBe(204);
  const proof = (await openLink(signedUp.email, 'confirm-new-address')) ?? '';
  expect((await logInOnPage(signedUp, proof)).status).toBe(204);
  const before = (await mailsTo(platform, signedUp.email)).length;
  expect((await resend()).status).toBe(204);
  expect(await mailsTo(platform, signedUp.email)).toHaveLength(before);
  expect((await refusals(signedUp))[0]).toBeUndefined();
});

test('SIGNUP-24 the address of a user whom a squatter adds does not prove that of the account', async () => {
  const signedUp = await signUpAndScan();
  const login = await platform.client().post('/users/login', { email: signedUp.email, password });
  const own = { ...signedUp, email: `${randomUUID()}@example.com` };
  const added = { name: 'Squatter', email: own.email, password, phone: '5511987654321', role: 'ADMIN' };
  expect((await platform.client(login.body.id).post('/users', added)).status).toBe(200);
  const proof = (await openLink(own.email, 'confirm-new-address')) ?? '';
  expect((await logInOnPage(own, proof)).status).toBe(204);
  await platform.client().post('/users/reset', { email: own.email });
  const token = tokenFrom(await linkTo(platform, own.email, 'reset-password'));
  expect((await platform.client().post('/users/reset-password', { token, password })).status).toBe(204);
  expect(await refusals(signedUp)).toEqual(unproved);
  expect((await logInOnPage(signedUp, signedUp.proof)).status).toBe(204);
  expect((await refusals(signedUp))[0]).toBeUndefined();
});

test('SIGNUP-24 a squatter who changes the own e-mail does not prove the address of the account', async () => {
  const signedUp = await signUpAndScan();
  const login = await platform.client().post('/users/login', { email: signedUp.email, password });
  const own = { ...signedUp, email: `${randomUUID()}@example.com` };
  const client = platform.client(login.body.id);
  expect((await client.patch('/users', { email: own.email })).status).toBe(200);
  const proof = (await openLink(own.email, 'confirm-new-address')) ?? '';
  expect((await logInOnPage(own, proof)).status).toBe(204);
  await platform.client().post('/users/reset', { email: own.email });
  const token = tokenFrom(await linkTo(platform, own.email, 'reset-password'));
  expect((await platform.client().post('/users/reset-password', { token, password })).status).toBe(204);
  expect(await refusals(own)).toEqual(unproved);
  const back = await platform.client().post('/users/login', { email: own.email, password });
  const returned = { email: signedUp.email.toUpperCase() };
  expect((await platform.client(back.body.id).patch('/users', returned)).status).toBe(200);
  const former = { ...signedUp, ...returned };
  await platform.client().post('/accounts/signup/resend', returned);
  const renewed = (await openLink(signedUp.email, 'confirm-new-address')) ?? '';
  expect((await logInOnPage(former, renewed)).status).toBe(204);
  expect((await refusals(former))[0]).toBeUndefined();
});

test('SIGNUP-24 a USER who has the address of the account does not prove it', async () => {
  const signedUp = await signUpAndScan();
  const login = await platform.client().post('/users/login', { email: signedUp.email, password });
  const client = platform.client(login.body.id);
  const admin = { ...signedUp, email: `${randomUUID()}@example.com` };
  const added = { name: 'Another', email: admin.email, password, phone: '5511987654321', role: 'ADMIN' };
  expect((await client.post('/users', added)).status).toBe(200);
  expect((await client.patch('/users', { role: 'USER' })).status).toBe(200);
  expect((await logInOnPage(signedUp, signedUp.proof)).status).toBe(204);
  expect(await refusals(admin)).toEqual(unproved);
});

test('SIGNUP-23 SIGNUP-26 after the removal of who signed up, another ADMIN proves the own address', async () => {
  const signedUp = await signUpAndScan();
  const login = await platform.client().post('/users/login', { email: signedUp.email, password });
  const other = { ...signedUp, email: `${randomUUID()}@example.com` };
  const added = { name: 'Another', email: other.email, password, phone: '5511987654321', role: 'ADMIN' };
  expect((await platform.client(login.body.id).post('/users', added)).status).toBe(200);
  const second = await platform.client().post('/users/login', { email: other.email, password });
  const client = platform.client(second.body.id);
  expect((await client.delete(`/users/${login.body.userId}`)).status).toBe(204);
  expect(await refusals(other)).toEqual(unproved);
  const refused = await client.post('/users/invitations', {
    email: `${randomUUID()}@example.com`,
    role: 'USER',
  });
  expect(refused.body.error.message).toContain(signedUp.email);
  const { err } = await runOperator(platform, ['account', 'go-live', signedUp.domain]);
  expect(err).toContain(signedUp.email);
  // The other address proves nothing as long as it is not that of the account.
  expect(await openLink(other.email, 'confirm-new-address')).toBeNull();
  const before = (await mailsTo(platform, other.email)).length;
  await platform.client().post('/accounts/signup/resend', { email: other.email });
  expect(await mailsTo(platform, other.email)).toHaveLength(before);
  expect((await client.patch('/accounts', { email: other.email.toUpperCase() })).status).toBe(200);
  await platform.client().post('/accounts/signup/resend', { email: other.email });
  const proof = (await openLink(other.email, 'confirm-new-address')) ?? '';
  expect((await logInOnPage(other, proof)).status).toBe(204);
  const [invited, , mode] = await refusals(other);
  expect([invited, mode]).toEqual([undefined, 'live']);
});

test('SIGNUP-22 accounts that were active before count as proved', async () => {
  const { id, admin } = await createAccount(platform);
  await platform.database.query('update accounts set address_proved = default where id = $1', [id]);
  const invited = await admin.client.post('/users/invitations', {
    email: `${randomUUID()}@example.com`,
    role: 'USER',
  });
  expect(invited.status).toBe(200);
});
