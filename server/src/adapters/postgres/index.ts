export { awaitPromotion } from './await-promotion.ts';
export { type Backup, listBackups } from './backup-folder.ts';
export { createBackup, megabytes } from './create-backup.ts';
export { clearRecoverySettings, giveToServer, prepareData, refuseUsedFolder } from './recovery.ts';
export { retainBackups } from './retain-backups.ts';
export { verifyFiles, verifyLog } from './verify-backup.ts';
export { followLog } from './wal-chain.ts';
