import { withClient } from '../../../tools/dev/database.ts';
import { databaseUrl } from '../../test/harness/template.ts';
import type { Checkout } from './checkout.ts';

const roles = { service: 'bench_app', edge: 'bench_edge' };

export interface DatabaseUrls {
  owner: string;
  service: string;
  edge: string;
}

/** Creates an empty database with the schema of a checkout; drops that of an earlier run. */
export async function freshDatabase(
  adminUrl: string,
  database: string,
  { migrate }: Pick<Checkout, 'migrate'>,
): Promise<DatabaseUrls> {
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database}`);
    await client.query(createRole(roles.service, ''));
  });
  const owner = databaseUrl(adminUrl, database);
  const service = databaseUrl(owner, database, roles.service);
  await migrate(owner, service);
  await withClient(owner, (client) => client.query(removeBudgets));
  await withClient(owner, (client) => client.query(createRole(roles.edge, 'in role disca_edge')));
  return { owner, service, edge: databaseUrl(owner, database, roles.edge) };
}

/** The checkout may be of a commit without budgets. */
const removeBudgets = `do $$ begin update budgets set test_most = null, live_most = null;
  exception when undefined_table then null; end $$`;

const createRole = (name: string, membership: string): string =>
  `do $$ begin create role ${name} login ${membership}; exception when duplicate_object then null; end $$`;
