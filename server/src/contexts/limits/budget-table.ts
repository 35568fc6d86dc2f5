/** A shared resource of which every account has a budget. */
interface BudgetedResource {
  /** What is counted. */
  unit: string;
  /** The defaults of new installations; null means no budget. Migrations write them; the operator changes them. */
  test: number | null;
  live: number | null;
  /** What to do when a request is refused; undefined if no request is refused with `ACCOUNT_LIMIT`. */
  remedy?: string;
}

/**
 * The budgets of an account, by resource. A test account is free, so its budgets are small. Those of a live account are
 * more than most need, and less than all accounts share.
 */
export const budgetTable = {
  calls: {
    unit: 'calls at once; unless set for the account, also at most one for each extension, or ten',
    test: 3,
    live: 100,
  },
  call_minutes: { unit: 'minutes of a call', test: 10, live: 240 },
  recorded_minutes: { unit: 'recorded minutes per day', test: 60, live: 50_000 },
  stored_megabytes: { unit: 'megabytes of stored recordings', test: 1_000, live: 500_000 },
  extensions: { unit: 'extensions', test: 10, live: 5_000, remedy: 'Remove one before adding another.' },
  users: {
    unit: 'users and open invitations',
    test: 10,
    live: 5_000,
    remedy: 'Remove a user or revoke an invitation before adding another.',
  },
  integrations: {
    unit: 'integrations of all users',
    test: 20,
    live: 2_000,
    remedy: 'Remove one before adding another.',
  },
  tokens: {
    unit: 'access tokens of all users and service tokens, besides logins',
    test: 50,
    live: 10_000,
    remedy: 'Revoke one before creating another.',
  },
  contacts: {
    unit: 'contacts',
    test: 1_000,
    live: 50_000,
    remedy: 'Remove some before adding others.',
  },
  event_streams: {
    unit: 'event streams at once, per API process',
    test: 10,
    live: 500,
    remedy: 'Close one first.',
  },
  webhook_requests: {
    unit: 'concurrent webhook requests; without a budget, half of those of a worker',
    test: 20,
    live: null,
  },
  replayed_events: {
    unit: 'replayed events per day (UTC)',
    test: 1_000,
    live: 500_000,
    remedy: 'Replay a shorter window, or continue tomorrow.',
  },
  mails: {
    unit: 'mails per day (UTC) that confirm addresses of users or invite people',
    test: 20,
    live: 1_000,
    remedy: 'Continue tomorrow.',
  },
  code_calls: {
    unit: 'calls per day (UTC) that verify caller IDs',
    test: 5,
    live: 100,
    remedy: 'Continue tomorrow.',
  },
  exports: {
    unit: 'exports of calls at once, per API process',
    test: 2,
    live: 10,
    remedy: 'Wait until one ends.',
  },
  requests: { unit: 'API requests per second, per API process', test: 20, live: 1_000 },
  database_connections: {
    unit: 'database connections at once, per API process; at least one, and never more than half of them',
    test: 3,
    live: null,
  },
  relay_quotas: {
    unit: 'quotas of the TURN relay that the extensions share; without a budget, one for each extension',
    test: 3,
    // Half of the allocations of a relay with its default settings (deploy/coturn).
    live: 50,
  },
} as const satisfies Record<string, BudgetedResource>;

export type Budgeted = keyof typeof budgetTable;
/** Resources of which a request for more is refused with `ACCOUNT_LIMIT`. */
export type Refused = {
  [Resource in Budgeted]: (typeof budgetTable)[Resource] extends { remedy: string } ? Resource : never;
}[Budgeted];
export const budgetedResources = Object.keys(budgetTable) as Budgeted[];
export const refusedResources = budgetedResources.filter((resource) => 'remedy' in budgetTable[resource]);
