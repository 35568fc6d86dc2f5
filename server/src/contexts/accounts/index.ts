export {
  blockAccount,
  closeAccount,
  exportAccount,
  showAccount,
  switchMode,
  unblockAccount,
} from './operate-account.ts';
