export { type Approval, decideApproval, listApprovals, requestApproval } from './approval.store.ts';
export { findCreditMoved } from './credit-moved.store.ts';
export { appendLog, findEntries, lockLog } from './log.store.ts';
export { findOperator, logInOperator, logOutOperator, setUpOperator } from './login.ts';
export {
  addOperator,
  awaitsSetUp,
  bootstrapOperators,
  disableOperator,
  listOperators,
  resetOperator,
} from './manage-operators.ts';
export { type NamedOperator, type OperatorRole, operatorRoles } from './operator.ts';
export { operatorSeals } from './reseal-operators.ts';
export { verifyLog } from './verify-log.ts';
