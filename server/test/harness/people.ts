import type { Client } from './client.ts';
import type { SharedPlatform } from './platform.ts';

export const password = 'correct horse battery';

export interface Person {
  client: Client;
  uuid: string;
  email: string;
  token: string;
}

export interface TestAccount {
  id: number;
  uuid: string;
  domain: string;
  admin: Person;
  /** Adds a user and logs in. */
  addUser(role?: 'ADMIN' | 'USER'): Promise<Person>;
}

let accounts = 0;
let people = 0;

export const signupBody = (changes: Record<string, unknown> = {}): Record<string, unknown> => {
  accounts += 1;
  return {
    organization_name: `Empresa ${accounts}`,
    domain: `empresa-${accounts}.disca.test`,
    email: `admin${accounts}@empresa.test`,
    password,
    phone: '5511987654321',
    crm: 'Outros',
    user_quantity: '1-5',
    ...changes,
  };
};

/** Creates an active account with its ADMIN logged in, through the API; only the mailed link is bypassed. */
export async function createAccount(
  platform: SharedPlatform,
  changes: Record<string, unknown> = {},
): Promise<TestAccount> {
  const body = signupBody(changes);
  const client = platform.client();
  const signedUp = await client.post('/accounts/signup', body);
  if (signedUp.status !== 201) throw new Error(`The sign-up returned ${signedUp.status}: ${signedUp.text}`);
  const domain = String(body.domain).toLowerCase();
  const [row] = await platform.database.query<{ id: string; uuid: string }>(
    `with account as (update accounts set status = 'active', address_proved = true where domain = $1 returning id, uuid),
          verified as (update users set email_verified = true where account_id = (select id from account))
     select id, uuid from account`,
    [domain],
  );
  if (!row) throw new Error('The account was not created.');
  const admin = await logIn(platform, String(body.email));
  return {
    id: Number(row.id),
    uuid: row.uuid,
    domain,
    admin,
    addUser: (role = 'USER') => addUser(platform, admin, role),
  };
}

async function addUser(platform: SharedPlatform, admin: Person, role: 'ADMIN' | 'USER'): Promise<Person> {
  people += 1;
  const email = `person${people}@empresa.test`;
  const body = { name: `Pessoa ${people}`, email, password, phone: '5511912345678', role };
  const created = await platform.client(admin.token).post('/users', body);
  if (created.status !== 200) throw new Error(`Creating a user returned ${created.status}: ${created.text}`);
  return await logIn(platform, email);
}

export async function logIn(platform: SharedPlatform, email: string, ttl?: number): Promise<Person> {
  const client = platform.client();
  const answer = await client.post('/users/login', {
    email,
    password,
    ...(ttl === undefined ? {} : { ttl }),
  });
  if (answer.status !== 200) throw new Error(`The login returned ${answer.status}: ${answer.text}`);
  return { client: client.as(answer.body.id), uuid: answer.body.userId, email, token: answer.body.id };
}
