import { readFile, writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { configSchema, shipperConfigSchema } from './config.ts';

// Writes docs/configuration.md from the schema that is really read; with --check it only says whether they agree.
const path = new URL('../../../docs/configuration.md', import.meta.url);

function row([name, schema]: [string, z.ZodType]): string {
  const { description = '', secret } = schema.meta() ?? {};
  const fallback = schema.safeParse(undefined);
  const shown = fallback.success ? asWritten(fallback.data) : 'required';
  return `| \`${name}\` | ${description}${secret ? ' Secret.' : ''} | ${shown} |`;
}

/** A default the way one would set it: a list is written with commas. */
function asWritten(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return text ? `\`${text}\`` : 'none';
}

const text = `# Configuration

The api, the worker and voice read the same environment variables, once, at their start, and refuse to start while one of them is wrong.
Each may stand in a file instead: \`KEY_RING_FILE\` names the file that holds \`KEY_RING\`, so that a secret is in no environment.
This page is generated from the schema in \`server/src/main/config.ts\` by \`npm run docs:config\`.

| Variable | Meaning | Default |
|---|---|---|
${Object.entries(configSchema.shape).map(row).join('\n')}

\`DATABASE_OWNER_URL\` (secret) names the role that owns the database. Only the migration and the operator's \`./disca\` read it.

\`BACKUP_DIR\` is the folder of backups, for \`./disca backup\`, \`restore\` and \`doctor\`; \`BACKUP_DATABASE_URL\` (secret) names a role that may copy the cluster, where the owner may not. See [Back up](operate/backup.md).

## The shipper

The shipper runs beside each media node and reads these instead.

| Variable | Meaning | Default |
|---|---|---|
${Object.entries(shipperConfigSchema.shape).map(row).join('\n')}
`;

if (process.argv.includes('--check')) {
  const current = await readFile(path, 'utf8').catch(() => '');
  if (current !== text) {
    process.stderr.write(
      'docs/configuration.md is not in step with the configuration. Run: npm run docs:config\n',
    );
    process.exit(1);
  }
} else {
  await writeFile(path, text);
}
