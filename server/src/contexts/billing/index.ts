export { adjustCredit } from './adjust-credit.ts';
export { auditLedger } from './audit-ledger.ts';
export { creditCharge, takeBackCharge } from './credit-charge.ts';
export { holdForCall, renewHold } from './hold-for-call.ts';
export { findBook } from './ledger.store.ts';
export type { Book } from './ledger.ts';
export type { LowBalanceDeps } from './low-balance.ts';
export { settleCall } from './settle-call.ts';
