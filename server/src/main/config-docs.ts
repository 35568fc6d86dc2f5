import { readFile, writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { configSchema, shipperConfigSchema } from './config.ts';

// Writes docs/configuration.md from the schema; with --check only verifies that the page is up to date.
const path = new URL('../../../docs/configuration.md', import.meta.url);

function row([name, schema]: [string, z.ZodType]): string {
  const { description = '', secret } = schema.meta() ?? {};
  const fallback = schema.safeParse(undefined);
  const shown = fallback.success ? asWritten(fallback.data) : 'required';
  return `| \`${name}\` | ${description}${secret ? ' Secret.' : ''} | ${shown} |`;
}

/** Formats a default value as in an environment file: lists with commas. */
function asWritten(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return text ? `\`${text}\`` : 'none';
}

const text = `# Configuration

The api, worker and voice processes read the same environment variables at start, and do not start if one is invalid.
Any of them can be read from a file instead: \`KEY_RING_FILE\` names the file that contains \`KEY_RING\`, which keeps secrets out of the environment. “Secret” marks values to keep confidential.
This page is generated from the schema in \`server/src/main/config.ts\` by \`npm run docs:config\`.

| Variable | Meaning | Default |
|---|---|---|
${Object.entries(configSchema.shape).map(row).join('\n')}

\`DATABASE_OWNER_URL\` (secret) is the connection of the role that owns the database. Migrations, and the commands of \`./disca\` that administer the machine, such as \`backup\` and \`restore\`, read it.

\`DATABASE_OPERATOR_URL\` (secret) is the connection of all other operator commands ([Operators](operate/operators.md#database-role)). Its role is no superuser and owns nothing.

\`./disca backup\`, \`restore\` and \`doctor\` run pgBackRest, which reads /etc/pgbackrest or variables such as \`PGBACKREST_REPO1_PATH\`; \`PGPASSWORD\`, \`PGBACKREST_REPO1_CIPHER_PASS\`, \`PGBACKREST_REPO1_S3_KEY\` and \`PGBACKREST_REPO1_S3_KEY_SECRET\` may be in files as well. See [Back up](operate/backup.md).

## The shipper

The shipper runs on each media node and reads these variables instead.

| Variable | Meaning | Default |
|---|---|---|
${Object.entries(shipperConfigSchema.shape).map(row).join('\n')}
`;

if (process.argv.includes('--check')) {
  const current = await readFile(path, 'utf8').catch(() => '');
  if (current !== text) {
    process.stderr.write('docs/configuration.md is out of date. Run: npm run docs:config\n');
    process.exit(1);
  }
} else {
  await writeFile(path, text);
}
