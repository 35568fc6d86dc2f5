export {
  type Budget,
  countUsedUp,
  findBudget,
  findBudgets,
  findDefaults,
  saveDefault,
} from './budget.store.ts';
export { type Budgeted, budgetedResources, budgetTable, refusedResources } from './budget-table.ts';
export { clientAddress } from './client-address.rules.ts';
export { freeFailuresOfKnownAddress } from './holdoff.rules.ts';
export {
  anonymousChecksLimit,
  anonymousLimit,
  consoleLimit,
  isReplacedInConsole,
  type Limit,
  limitBuckets,
  limitsOf,
} from './limit-table.ts';
export { createLoginHoldoff, type LoginHoldoff } from './login-holdoff.ts';
export { createMailLimit, type MailLimit } from './mail-limit.ts';
export { resetBudgets, setBudget, showBudgets } from './operate-budgets.ts';
export { createRequestBudgets, type RequestBudgets } from './request-budgets.ts';
export { createRequestLimiter, type RequestLimiter, type Usage } from './request-limiter.ts';
export { budgetRefusal, requireLeft, requireRoom, spendBudget, usedToday } from './require-room.ts';
