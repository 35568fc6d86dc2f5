import { archiveSegment } from '../../adapters/postgres/archive-segment.ts';

// PostgreSQL's archive_command. `disca` starts this file directly, without loading the other commands, because it runs
// for every segment.
const [source, name, option, given] = process.argv.slice(2);
const folder = option === '--to' ? given : process.env.BACKUP_DIR;
try {
  if (!source || !name || !folder)
    throw new Error('Usage: disca backup archive-wal %p %f --to FOLDER (or set BACKUP_DIR).');
  await archiveSegment(folder, source, name);
} catch (error) {
  process.stderr.write(`disca backup archive-wal: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
