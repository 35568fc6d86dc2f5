export { findAccount } from './account.store.ts';
export { eraseFromAccount } from './erasure.store.ts';
export { exportAccount } from './export-account.ts';
export {
  approveAccount,
  blockAccount,
  closeAccount,
  listAccounts,
  showAccount,
  switchMode,
  unblockAccount,
} from './operate-account.ts';
export { createProveAddress } from './prove-address.ts';
