export { awaitPromotion, refuseRunning } from './await-promotion.ts';
export {
  type Backup,
  type BackupEnvironment,
  NotInstalledError,
  type PgbackrestResult,
  type Repository,
  readArchivedWal,
  readRepository,
  runOrThrow,
  runPgbackrest,
} from './pgbackrest.ts';
export { clearRecoverySettings, refuseUsedFolder, restoreData, systemIdentifierOf } from './restore-data.ts';
export { followWal, isSegment, type Replayable, segmentNumber } from './wal-archive.ts';
