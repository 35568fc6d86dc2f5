import { scopes } from '../../../../../sdk/src/generated/scopes.ts';

export type Scope = (typeof scopes)[number];

export { scopes };

/** Keys of the texts: a colon would separate a namespace. */
export const scopeKeys = {
  'calls:place': 'placeCalls',
  'calls:read': 'readCalls',
  recordings: 'recordings',
  extensions: 'extensions',
  users: 'users',
  webhooks: 'webhooks',
  money: 'money',
  account: 'account',
} as const satisfies Record<Scope, string>;
