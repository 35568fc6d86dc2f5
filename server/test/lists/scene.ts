import { expect } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

export interface Listed {
  uuid: string;
  name: string;
  email: string;
  phone: string;
  role: string;
  emailVerified: boolean;
  createdAt: string;
  lastLoginAt: string | null;
}

/** An account with its ADMIN and ten people, beside another account whose people must never be seen. */
export interface Scene {
  platform: Platform;
  account: TestAccount;
  list(filter?: object, query?: Record<string, string>): Promise<Answer>;
  all(): Promise<Listed[]>;
  /** 400 INVALID_FILTER with such a message. */
  expectRefused(filter: unknown, message: RegExp): Promise<void>;
}

const names = ['Ana', 'Beto', 'ana Lúcia', 'Caio', 'Davi', 'Eva', 'Ivo', 'Júlia', 'Léo', 'Mara'];

export async function openScene(): Promise<Scene> {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  const account = await createAccount(platform, { organization_name: 'Zuleica' });
  await addPeople(platform, account.id, names.length, `(array['${names.join("','")}'])[n]`, 'gente');
  const other = await createAccount(platform, { organization_name: 'Outra' });
  await addPeople(platform, other.id, 5, `'Ana'`, 'alheia');
  const { client } = account.admin;
  return {
    platform,
    account,
    list: (filter, query) => client.list('/users', filter, query),
    all: async () => (await client.list('/users')).body,
    async expectRefused(filter, message) {
      const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
      const answer = await client.get('/users', { query: { filter: text } });
      expect(answer.status, text.slice(0, 200)).toBe(400);
      expect(answer.body.error.errorCode).toBe('INVALID_FILTER');
      expect(answer.body.error.message).toMatch(message);
    },
  };
}

/** People of an account, one created each minute from the beginning of 2026, every third an ADMIN. */
export async function addPeople(
  { database }: Platform,
  accountId: number,
  count: number,
  name: string,
  mailbox: string,
): Promise<void> {
  await database.query(
    `insert into users (uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
                        password_changed_at, last_login_at, created_at, updated_at)
     select gen_random_uuid(), $1, ${name}, '${mailbox}' || n || '@lista.test', '551198765' || lpad(n::text, 4, '0'),
            case when n % 3 = 0 then 'ADMIN' else 'USER' end, 'pt-BR', n % 2 = 0, 'none', now(),
            case when n % 4 = 0 then timestamptz '2026-02-01Z' + n * interval '1 day' end,
            timestamptz '2026-01-01Z' + n * interval '1 minute', now()
       from generate_series(1, ${count}) n`,
    [accountId],
  );
}
