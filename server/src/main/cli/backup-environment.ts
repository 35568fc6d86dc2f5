import type { BackupEnvironment } from '../../adapters/postgres/index.ts';
import { withFiles } from '../settings-from-files.ts';

const secrets = [
  'PGPASSWORD',
  'PGBACKREST_REPO1_CIPHER_PASS',
  'PGBACKREST_REPO1_S3_KEY',
  'PGBACKREST_REPO1_S3_KEY_SECRET',
];

/** Returns the environment of pgBackRest; secrets may be in files. The default stanza is `disca`. */
export function backupEnvironment(environment: Record<string, string | undefined>): BackupEnvironment {
  const set = withFiles(environment, secrets);
  // pgBackRest warns about variables that are not its options.
  for (const name of secrets) delete set[`${name}_FILE`];
  return { PGBACKREST_STANZA: 'disca', ...set };
}
