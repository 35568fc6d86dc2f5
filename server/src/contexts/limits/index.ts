export { clientAddress } from './client-address.rules.ts';
export { anonymousChecksLimit, anonymousLimit, type Limit, limitBuckets, limitsOf } from './limit-table.ts';
export { createLoginHoldoff, type LoginHoldoff } from './login-holdoff.ts';
export { createMailLimit, type MailLimit } from './mail-limit.ts';
export { createRequestLimiter, type RequestLimiter, type Usage } from './request-limiter.ts';
