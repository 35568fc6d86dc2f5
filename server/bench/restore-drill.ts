import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inDev } from '../../tools/dev/paths.ts';
import { startPostgres } from '../../tools/dev/services/postgres.ts';
import { prepareBackups } from '../test/harness/backups.ts';
import { buildSettings } from '../test/harness/deployments/chaos.ts';
import { until } from '../test/harness/until.ts';
import { runDisca } from '../test/scenarios/backup/disca.ts';
import { startStores } from '../test/scenarios/chaos/stores.ts';

/** Backs up a large database, loses it, restores it, and prints the times. */
const { values } = parseArgs({ options: { gigabytes: { type: 'string', default: '10' } } });
const gigabytes = Number(values.gigabytes);
if (!(gigabytes > 0)) throw new Error('--gigabytes must be a number above 0.');

const rowBytes = 1_000_000;
const dir = inDev('restore-drill');
const step = (what: string): void => console.log(`${new Date().toISOString()}  ${what}`);

const backups = await prepareBackups(dir, { ioSeconds: 15 });
const stores = await startStores(dir, { ...backups.settings, max_wal_size: '4GB' }, backups.port);
const environment = {
  ...buildSettings(dir, stores.serviceUrl, stores.redis.url),
  DATABASE_OWNER_URL: stores.ownerUrl,
  ...backups.environment,
};
const disca = async (...args: string[]) => {
  const { code, out, err } = await runDisca(environment, [...args, '--json']);
  if (code !== 0) throw new Error(`disca ${args.join(' ')} failed: ${err}`);
  return JSON.parse(out);
};
let { postgres } = stores;
try {
  // Creates the repository, as an installation does, so that WAL is archived while the table is filled.
  await disca('backup');
  await fill();
  const full = await disca('backup', '--type', 'full');
  step(`full backup: ${JSON.stringify(full)}`);
  await stores.query(String.raw`update filler set content = content || '\x00' where id % 20 = 0`);
  step(`incremental backup: ${JSON.stringify(await disca('backup'))}`);
  await postgres.stop('kill');
  rmSync(backups.data, { recursive: true });
  step('the database is lost');
  const isAsked = join(dir, 'start-postgres');
  const restoring = disca('restore', '--data', backups.data, '--start-command', `touch '${isAsked}'`);
  await Promise.race([until(() => existsSync(isAsked), 'the files are restored', 3_600), restoring]);
  postgres = await startPostgres({
    dir: join(dir, 'postgres'),
    port: backups.port,
    durable: true,
    settings: backups.settings,
  });
  const { seconds } = await restoring;
  step(`restored: ${JSON.stringify(seconds)}`);
} finally {
  await postgres.stop('immediate');
  await stores.stop();
  await backups.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
}

/** Fills a table with data that does not compress, which is the slowest case. */
async function fill(): Promise<void> {
  await stores.query('create table filler (id int primary key, content bytea)');
  await stores.query('alter table filler alter column content set storage external');
  const rows = Math.ceil((gigabytes * 1e9) / rowBytes);
  for (let id = 0; id < rows; id += 1)
    await stores.query('insert into filler values ($1, $2)', [id, randomBytes(rowBytes)]);
  const [row] = await stores.query('select pg_database_size(current_database()) as bytes');
  step(`the database has ${row?.bytes} bytes`);
}
