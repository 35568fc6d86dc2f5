import { archiveSegment } from '../../adapters/postgres/archive-segment.ts';

// PostgreSQL's archive_command. `disca` starts this file alone, without the other commands: it runs for every segment.
const [source, name, option, given] = process.argv.slice(2);
const folder = option === '--to' ? given : process.env.BACKUP_DIR;
try {
  if (!source || !name || !folder)
    throw new Error('Use it as: disca backup archive-wal %p %f --to FOLDER (or with BACKUP_DIR set).');
  await archiveSegment(folder, source, name);
} catch (error) {
  process.stderr.write(`disca backup archive-wal: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
