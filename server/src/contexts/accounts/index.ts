export { exportAccount } from './export-account.ts';
export {
  blockAccount,
  closeAccount,
  showAccount,
  switchMode,
  unblockAccount,
} from './operate-account.ts';
