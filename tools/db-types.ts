import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../server/src/main/migrate.ts';
import { databaseUrl } from '../server/test/harness/template.ts';
import { startTestServices } from './dev/test-services.ts';

/**
 * Generates server/src/platform/db/schema.ts by applying the migrations to an empty database and introspecting it. With
 * --check, only verifies that it is up to date.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const services = await startTestServices();
const name = `types_${process.pid}`;
const owner = new pg.Client({ connectionString: services.databaseOwnerUrl });
await owner.connect();
try {
  await owner.query(`create database ${name}`);
  const url = databaseUrl(services.databaseOwnerUrl, name);
  await migrate(url, undefined);
  execFileSync(
    'kysely-codegen',
    [
      ...[
        '--dialect',
        'postgres',
        '--url',
        url,
        '--default-schema',
        'public',
        '--exclude-pattern',
        '{pgboss,edge}.*',
      ],
      ...['--type-mapping', '{"int8":"number","uuid":"string"}', '--log-level', 'error'],
      ...['--date-parser', 'string'],
      ...[
        '--out-file',
        'server/src/platform/db/schema.ts',
        ...(process.argv.includes('--check') ? ['--verify'] : []),
      ],
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` },
    },
  );
} catch (error) {
  process.stderr.write(
    `${String(error)}\nserver/src/platform/db/schema.ts could not be written, or is out of date. Run: npm run db:types\n`,
  );
  process.exitCode = 1;
} finally {
  await owner.query(`drop database if exists ${name}`);
  await owner.end();
  await services.stop();
}
