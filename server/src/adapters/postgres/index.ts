export { archiveOf } from './archive-segment.ts';
export { awaitPromotion, refuseRunning } from './await-promotion.ts';
export { type Backup, listBackups } from './backup-folder.ts';
export { createBackup, megabytes } from './create-backup.ts';
export { clearRecoverySettings, giveToServer, prepareData, refuseUsedFolder } from './recovery.ts';
export { retainBackups } from './retain-backups.ts';
export { isSegment, segmentNumber } from './segment.ts';
export { endOfLog, isFollowed, verifyFiles, verifyLog } from './verify-backup.ts';
export { followLog, timelinesAfter } from './wal-chain.ts';
