import { Command } from 'commander';
import { describeMigrated, migrate, migrationStatus } from '../migrate.ts';
import { withFiles } from '../settings-from-files.ts';
import { answer, withJson } from './operator.ts';

type Json = { json?: boolean };

export function migrateCommands(): Command {
  const command = withJson(
    new Command('migrate')
      .description('migrate the database to this release; the previous release keeps working with it')
      .option('--dry-run', 'apply and roll back; holds the same locks for the same time'),
  )
    .enablePositionalOptions()
    .action(run);
  withJson(
    command
      .command('status')
      .description('show applied migrations and SQL definitions; exits 1 if one is missing'),
  ).action(async ({ json }: Json) => {
    const status = await migrationStatus(urls().owner);
    const { applied, pending, unknown, changed, definitions } = status;
    const lines = [
      `${applied.length} applied${applied.length > 0 ? `, the last is ${applied.at(-1)}` : ''}`,
      ...pending.map((name) => `pending  ${name}`),
      ...unknown.map((name) => `unknown  ${name}: applied by a newer release`),
      ...changed.map((name) => `changed  ${name}: differs from the file that was applied`),
      ...definitions.pending.map((name) => `pending  server/sql/${name}.sql`),
      ...definitions.changedByHand.map((identity) => `changed  ${identity}: not by disca migrate`),
      ...(definitions.isNewer ? ['unknown  SQL definitions: a newer release installed them'] : []),
    ];
    answer({ json: json ?? false }, status, lines.join('\n'));
    if (pending.length + changed.length + definitions.pending.length > 0) process.exitCode = 1;
  });
  return command;
}

function urls(): { owner: string; service: string | undefined; operatorUrl: string | undefined } {
  const set = withFiles(process.env, ['DATABASE_OWNER_URL', 'DATABASE_URL', 'DATABASE_OPERATOR_URL']);
  const { DATABASE_OWNER_URL: owner, DATABASE_URL: service, DATABASE_OPERATOR_URL: operatorUrl } = set;
  if (!owner) throw new Error('DATABASE_OWNER_URL is not set. Set it to the role that owns the database.');
  return { owner, service, operatorUrl };
}

async function run({ dryRun = false, json = false }: Json & { dryRun?: boolean }): Promise<void> {
  const { owner, service, operatorUrl } = urls();
  const report = (text: string): void => {
    if (!json) process.stderr.write(`${text}\n`);
  };
  const migrated = await migrate(owner, service, {
    isRehearsal: dryRun,
    operatorUrl,
    onWait: () => report('Another process is migrating this database; waiting …'),
    onApplied: (name, tookMs) => report(`${name} (${(tookMs / 1000).toFixed(1)} s)`),
  });
  const { migrations, definitions } = migrated;
  answer(
    { json },
    { [dryRun ? 'pending' : 'applied']: migrations, definitions },
    describeMigrated(migrated, dryRun ? 'Would apply' : 'Applied'),
  );
}
