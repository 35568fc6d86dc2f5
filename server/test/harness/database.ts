import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl, serviceRole } from './template.ts';

export interface TestDatabase {
  ownerUrl: string;
  /** As the service connects: row-level security applies. */
  serviceUrl: string;
  /** A query as the owner, past row-level security: for looking behind the API and for setting scenes. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of the caller's own, cloned from the template in milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('databaseOwnerUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await once(adminUrl, `create database ${name} template ${inject('template')}`);
  const ownerUrl = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  // Dropping the database cuts connections that are still saying goodbye.
  pool.on('error', () => undefined);
  return {
    ownerUrl,
    serviceUrl: databaseUrl(adminUrl, name, serviceRole),
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end();
      await once(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
