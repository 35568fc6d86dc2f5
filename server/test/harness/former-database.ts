import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { sqlFolders } from '../../src/main/migrate.ts';
import { applyMigrations } from '../../src/platform/db/migrate.ts';
import { databaseUrl } from './template.ts';

/** A database of an earlier release. */
export interface FormerDatabase {
  url: string;
  /** Connected as the owner. */
  client: pg.Client;
  /** Applies the migrations before the given number. */
  migrateBefore(number: string): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database with the migrations before the given number and one account, whose id is 1. */
export async function createFormerDatabase(number: string, mode: 'test' | 'live'): Promise<FormerDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name}`);
  const url = databaseUrl(inject('databaseOwnerUrl'), name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const migrateBefore = async (before: string): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'former-'));
    try {
      for (const file of readdirSync(sqlFolders.migrations).filter((each) => each < before))
        cpSync(join(sqlFolders.migrations, file), join(folder, file));
      await applyMigrations(client, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  await migrateBefore(number);
  await client.query(
    `insert into accounts (id, uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
     values (1, gen_random_uuid(), 'a.example.com', 'A', 'a@example.com', '5511999990000', 'Outros', '1', 'active',
             $1, now(), now())`,
    [mode],
  );
  return {
    url,
    client,
    migrateBefore,
    async drop() {
      await client.end();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

async function asAdmin(text: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseOwnerUrl') });
  await admin.connect();
  try {
    await admin.query(text);
  } finally {
    await admin.end();
  }
}
