import pg from 'pg';
import { migrate } from '../src/main/migrate.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import type { OwnerQuery } from '../test/harness/fixtures/billing-rows.ts';
import { databaseUrl } from '../test/harness/template.ts';
import { openOwner } from './owner-pool.ts';

const name = 'disca_ledger';
const serviceRole = 'bench_app';

export interface LedgerDatabase {
  /** Connected as the service role. */
  db: Database;
  serviceUrl: string;
  ownerUrl: string;
  query: OwnerQuery;
  close(): Promise<void>;
}

/** Creates an empty, migrated database beside the given one; drops that of an earlier run. */
export async function openLedgerDatabase(adminUrl: string, poolSize: number): Promise<LedgerDatabase> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await admin.query(
      `do $$ begin create role ${serviceRole} login; exception when duplicate_object then null; end $$`,
    );
  } finally {
    await admin.end();
  }
  const ownerUrl = databaseUrl(adminUrl, name);
  const serviceUrl = databaseUrl(adminUrl, name, serviceRole);
  await migrate(ownerUrl, serviceUrl);
  const owner = openOwner(ownerUrl, 2);
  // The audit reads the whole ledger of an account in one statement, which takes longer than the timeout of requests.
  const options = { url: serviceUrl, poolSize, applicationName: 'ledger', statementTimeoutMs: 600_000 };
  const db = openDatabase(options, (error) => console.error(error.message));
  return {
    db,
    serviceUrl,
    ownerUrl,
    query: owner.query,
    async close() {
      await db.close();
      await owner.close();
    },
  };
}
