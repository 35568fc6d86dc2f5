import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTestServices } from '../../../tools/dev/test-services.ts';
import { buildTemplate } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseOwnerUrl: string;
    redisUrl: string;
    template: string;
    /** Prefix of the names of all databases that this run clones. */
    databasePrefix: string;
  }
}

/** Starts PostgreSQL and Redis for all tests and builds the template database that tests clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = await startTestServices();
  project.provide('databaseOwnerUrl', services.databaseOwnerUrl);
  project.provide('redisUrl', services.redisUrl);
  project.provide('template', await buildTemplate(services.databaseOwnerUrl));
  const prefix = `test_${randomBytes(4).toString('hex')}_`;
  project.provide('databasePrefix', prefix);
  return async () => {
    await dropDatabases(services.databaseOwnerUrl, prefix);
    await services.stop();
  };
}

/** Drops databases that test processes left behind: a shared platform has no last test that could close it. */
async function dropDatabases(ownerUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  } finally {
    await client.end();
  }
}
