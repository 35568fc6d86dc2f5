import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl, operatorRole, serviceRole } from './template.ts';

export interface TestDatabase {
  ownerUrl: string;
  /** Connects as the service does: row-level security applies. */
  serviceUrl: string;
  /** Connects as operator commands do. */
  operatorUrl: string;
  /** Queries as the owner, without row-level security, to insert data and to inspect results without the API. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates a separate database for the caller, cloned from the template in milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('databaseOwnerUrl');
  const name = `${inject('databasePrefix')}${randomBytes(6).toString('hex')}`;
  await once(adminUrl, `create database ${name} template ${inject('template')}`);
  const ownerUrl = databaseUrl(adminUrl, name);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  // Dropping the database terminates connections that are still closing.
  pool.on('error', () => undefined);
  return {
    ownerUrl,
    serviceUrl: databaseUrl(adminUrl, name, serviceRole),
    operatorUrl: databaseUrl(adminUrl, name, operatorRole),
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
