/** The context that owns each table. Only its stores and its files in server/sql may name the table. */
export const ownedTables: Record<string, string[]> = {
  abuse: ['abuse_signals', 'phone_networks'],
  access: ['access_tokens', 'former_emails', 'known_addresses', 'recovery_codes', 'second_factors'],
  accounts: ['accounts'],
  audit: ['audit_entries'],
  billing: [
    'call_holds',
    'ledger_audits',
    'ledger_balances',
    'ledger_checkpoints',
    'ledger_transactions',
    'rate_decks',
    'rates',
  ],
  'caller-ids': ['caller_id_calls', 'caller_ids'],
  calls: [
    'account_caps',
    'call_counts',
    'call_days_counted',
    'call_dispositions',
    'call_indexing',
    'call_notes',
    'call_pairs',
    'call_sums',
    'call_turns',
    'call_words',
    'calls',
    'calls_summed',
    'contacts',
    'dialer_calls',
    'leg_calls',
    'live_calls',
    'live_legs',
    'unsummed_calls',
  ],
  charges: ['charges', 'financial_accounts'],
  edge: [
    'edge.bans',
    'edge.edges',
    'edge.identity_keys',
    'edge.known_phones',
    'edge.location',
    'edge.plain_digests',
    'edge.registration_changes',
    'edge.registration_total',
    'edge.replaced_logins',
    'edge.session_logins',
    'edge.version',
  ],
  events: ['event_counters', 'event_outbox', 'events', 'events_unpartitioned'],
  extensions: ['extension_presence', 'extensions', 'phone_sessions'],
  integrations: ['integrations'],
  limits: ['account_budgets', 'budget_days', 'budgets'],
  operators: ['operator_approvals', 'operator_log', 'operator_log_head', 'operator_sessions', 'operators'],
  platform: [
    'idempotency_keys',
    'migrations',
    'sql_definitions',
    'sql_objects',
    'sql_revision',
    'pgboss.job',
  ],
  recordings: ['recording_accesses', 'recording_keys', 'recording_use', 'recordings'],
  requests: ['request_counts', 'requests'],
  sandbox: ['sandbox_payments'],
  sso: ['single_sign_on', 'sso_domains', 'sso_identities'],
  telephony: ['media_nodes', 'trunk_tests', 'trunks'],
  users: ['invitations', 'users'],
  webhooks: ['deliveries', 'delivery_attempts', 'delivery_queue'],
};

/** A file that names tables of other contexts, and why. */
export interface Declared {
  /** The path of a file, or of a folder with a slash at its end. */
  file: string;
  tables: string[];
  reason: string;
}

/** Reads that join tables of several contexts in one query. */
export const readModels: Declared[] = [
  {
    file: 'server/src/contexts/accounts/export.store.ts',
    tables: [],
    reason: 'Exports all rows of an account; `exportedTables` lists the tables.',
  },
  {
    file: 'server/src/contexts/access/service-token.store.ts',
    tables: ['users'],
    reason: 'Service tokens are listed with their creators.',
  },
  {
    file: 'server/src/contexts/access/factors/admins.store.ts',
    tables: ['users'],
    reason: 'ADMINs are listed with whether they have a second factor.',
  },
  {
    file: 'server/src/contexts/users/availability/availability.store.ts',
    tables: ['extension_presence', 'extensions', 'live_calls'],
    reason: 'People are listed with their phones and running calls in one query.',
  },
  {
    file: 'server/src/contexts/calls/listing/call-details.store.ts',
    tables: ['recordings', 'users'],
    reason: 'A call is shown with its requester and its recording.',
  },
  {
    file: 'server/src/contexts/calls/listing/call-list.store.ts',
    tables: ['recordings'],
    reason: 'Lists and filters show whether a call has a recording.',
  },
  {
    file: 'server/src/contexts/events/feed.store.ts',
    tables: ['calls'],
    reason: 'Users see events of their own calls only; a recording event is shown with its call.',
  },
  {
    file: 'server/src/contexts/events/reconcile.store.ts',
    tables: ['calls', 'deliveries', 'integrations', 'leg_calls', 'ledger_transactions'],
    reason: 'Counts calls, events, deliveries and ledger entries against each other in one snapshot.',
  },
  {
    file: 'server/src/contexts/webhooks/explain/explain.store.ts',
    tables: ['calls'],
    reason: 'Explains which calls match an integration.',
  },
  {
    file: 'server/src/contexts/webhooks/health/health.store.ts',
    tables: ['integrations'],
    reason: 'Integration health is computed per integration.',
  },
  {
    file: 'server/src/contexts/webhooks/testing/test.store.ts',
    tables: ['integrations'],
    reason: 'A test is not stored if its integration was removed while it was sent.',
  },
  {
    file: 'server/src/contexts/webhooks/listing/',
    tables: ['calls', 'events', 'integrations'],
    reason: 'Deliveries are listed with their events and calls.',
  },
  {
    file: 'server/src/contexts/recordings/access.store.ts',
    tables: ['access_tokens', 'users'],
    reason: 'Uses of a link are listed with the name of the person or service token to whom it was issued.',
  },
  {
    file: 'server/sql/webhooks/recipient_of.sql',
    tables: ['calls', 'integrations', 'users'],
    reason:
      'Whether a webhook is sent, and what it contains, depends on the owner of the integration and the call.',
  },
  {
    file: 'server/sql/webhooks/take_queued_deliveries.sql',
    tables: ['calls', 'integrations'],
    reason: 'One query loads all data for a batch of requests.',
  },
  {
    file: 'server/sql/webhooks/choose_due_deliveries.sql',
    tables: ['integrations'],
    reason: 'The limits per account and host need those of each endpoint.',
  },
  {
    file: 'server/sql/webhooks/endpoint_of.sql',
    tables: ['integrations'],
    reason: 'The limits per account and host need those of each endpoint.',
  },
  {
    file: 'server/sql/webhooks/subscribers_of.sql',
    tables: ['calls', 'integrations', 'users'],
    reason: 'Who receives an event depends on the call, the integration and its owner.',
  },
  {
    file: 'server/sql/requests/record_requests.sql',
    tables: ['access_tokens'],
    reason: 'Requests are stored with the names of their tokens, which no request has to look up.',
  },
  {
    file: 'server/sql/charges/audit_some_charges.sql',
    tables: ['ledger_transactions'],
    reason: 'Compares charges with their ledger entries in one snapshot.',
  },
  {
    file: 'server/sql/extensions/extension_of_number.sql',
    tables: ['caller_ids'],
    reason: 'Routes an inbound call in one query.',
  },
  {
    file: 'server/sql/limits/used_up_budgets.sql',
    tables: ['delivery_queue', 'integrations', 'phone_sessions', 'recording_use'],
    reason: 'Counts what accounts use of each budget, for a metric.',
  },
  {
    file: 'server/sql/platform/service_state.sql',
    tables: [
      'edge.edges',
      'edge.location',
      'edge.registration_changes',
      'edge.registration_total',
      'event_outbox',
      'integrations',
      'ledger_audits',
      'live_calls',
      'media_nodes',
      'recordings',
    ],
    reason: 'Gauges of the whole service for its metrics.',
  },
  {
    file: 'server/src/main/cli/',
    tables: [
      'accounts',
      'deliveries',
      'delivery_attempts',
      'delivery_queue',
      'edge.edges',
      'event_counters',
      'event_outbox',
      'integrations',
      'ledger_audits',
      'pgboss.job',
    ],
    reason: "The operator's diagnosis and restore read across contexts with the owner's rights.",
  },
];

/** Writes, or reads under a lock, that must be part of another context's transaction or statement. */
export const procedures: Declared[] = [
  {
    file: 'server/sql/edge/',
    tables: ['accounts', 'extension_presence', 'extensions', 'media_nodes', 'phone_sessions'],
    reason:
      "Kamailio's schema: registrations, presence and phone sessions change in one transaction. Its views and triggers run with the owner's rights, so they cannot use views with security_invoker.",
  },
  {
    file: 'server/sql/extensions/end_token_sessions.sql',
    tables: ['access_tokens'],
    reason: 'A trigger: revoking a token closes the phone that it opened.',
  },
  {
    file: 'server/sql/extensions/end_user_sessions.sql',
    tables: ['users'],
    reason: "A trigger: a new role or password closes the user's phones.",
  },
  {
    file: 'server/sql/webhooks/number_events.sql',
    tables: ['event_counters', 'event_outbox', 'events', 'events_unpartitioned', 'integrations'],
    reason: 'An event gets its number and its deliveries in one transaction.',
  },
  {
    file: 'server/sql/events/forget_events.sql',
    tables: ['accounts'],
    reason: 'A trigger: deleting an account deletes its events.',
  },
  {
    file: 'server/sql/events/record_call_event.sql',
    tables: ['calls'],
    reason: 'The time of the call limits the search for its events.',
  },
  {
    file: 'server/sql/webhooks/finish_attempts.sql',
    tables: ['integrations'],
    reason: 'An attempt and the health of its integration change in one statement.',
  },
  {
    file: 'server/sql/webhooks/adopt_delivery_jobs.sql',
    tables: ['pgboss.job'],
    reason: 'A job of the previous release moves to the delivery queue in one statement.',
  },
  {
    file: 'server/src/contexts/webhooks/replay/replay.store.ts',
    tables: ['events'],
    reason: 'A replay renews deliveries by the numbers of their events in one statement.',
  },
  {
    file: 'server/src/contexts/calls/retention/erasure.store.ts',
    tables: ['event_outbox', 'events'],
    reason: 'Erasure rewrites calls and the copies in their events in one transaction.',
  },
  {
    file: 'server/sql/calls/place_call.sql',
    tables: ['idempotency_keys'],
    reason: 'A call is decided and written in one statement.',
  },
  {
    file: 'server/sql/calls/outbound_terms.sql',
    tables: ['caller_ids', 'extension_presence', 'extensions', 'rate_decks', 'rates'],
    reason: 'A call is decided and written in one statement.',
  },
  {
    file: 'server/sql/calls/add_leg.sql',
    tables: ['extension_presence', 'extensions'],
    reason: 'A further leg of a call is decided and written in one statement.',
  },
  {
    file: 'server/sql/billing/hold_for_call.sql',
    tables: ['extensions'],
    reason:
      'The limit of concurrent calls may be the number of extensions; placing a call needs no further query.',
  },
  {
    file: 'server/sql/calls/correct_running_calls.sql',
    tables: ['ledger_balances'],
    reason:
      'The counter of running calls is a column of the balance, which placing and ending a call update.',
  },
  {
    file: 'server/sql/calls/recent_traffic.sql',
    tables: ['call_holds'],
    reason: 'The price of a running call is in its hold.',
  },
  {
    file: 'server/sql/abuse/note_networks.sql',
    tables: ['accounts', 'edge.known_phones'],
    reason: 'Reads where phones have logged in from what the edges record.',
  },
  {
    file: 'server/src/contexts/abuse/signal.store.ts',
    tables: ['account_caps', 'accounts'],
    reason: 'The operator lists the accounts to review.',
  },
  {
    file: 'server/src/contexts/telephony/bans/ban.store.ts',
    tables: ['edge.bans'],
    reason: 'The operator lists and lifts bans.',
  },
  {
    file: 'server/src/contexts/extensions/digest.store.ts',
    tables: ['edge.edges', 'edge.plain_digests'],
    reason: 'The operator sees which keys the edges have, and goes back to the previous release.',
  },
  {
    file: 'server/sql/retired/',
    tables: [
      'access_tokens',
      'accounts',
      'call_holds',
      'calls',
      'charges',
      'deliveries',
      'delivery_attempts',
      'edge.edges',
      'edge.identity_keys',
      'edge.known_phones',
      'edge.location',
      'edge.replaced_logins',
      'edge.session_logins',
      'extension_presence',
      'extensions',
      'integrations',
      'known_addresses',
      'ledger_balances',
      'ledger_transactions',
      'live_calls',
      'phone_sessions',
      'recordings',
      'users',
    ],
    reason: 'Functions of several contexts that the previous release calls.',
  },
  {
    file: 'server/sql/accounts/release_unconfirmed_address.sql',
    tables: ['ledger_balances'],
    reason: 'Accounts with a ledger must not be deleted.',
  },
  {
    file: 'server/sql/accounts/sweep_unconfirmed_accounts.sql',
    tables: ['ledger_balances'],
    reason: 'Accounts with a ledger must not be deleted.',
  },
  {
    file: 'server/src/contexts/access/access.store.ts',
    tables: ['users'],
    reason: 'Passwords and login times are columns of users, locked with the tokens.',
  },
  {
    file: 'server/sql/access/',
    tables: ['users'],
    reason: 'Authentication reads the user with the token or the password in one query.',
  },
  {
    file: 'server/src/contexts/integrations/integration.store.ts',
    tables: ['users'],
    reason: 'Locks the owner, so that the limit of integrations per user holds.',
  },
];

/** Files that build statements with computed table names, and why that is safe. */
export const computedNames: Omit<Declared, 'tables'>[] = [
  {
    file: 'server/src/contexts/accounts/export.store.ts',
    reason: 'The names are the constants in `exportedTables`.',
  },
  {
    file: 'server/src/platform/filter/members.ts',
    reason: 'A context names its own table in the declaration of a list.',
  },
  {
    file: 'server/src/platform/filter/seeks.ts',
    reason: 'A context names its own table in the declaration of a list.',
  },
  {
    file: 'server/sql/calls/make_call_months.sql',
    reason: 'Creates partitions of calls and its derived tables.',
  },
  {
    file: 'server/sql/calls/detach_call_months.sql',
    reason: 'Detaches partitions of calls and its derived tables.',
  },
  {
    file: 'server/sql/events/find_events.sql',
    reason: 'Reads events; the ids in the statement select the partitions.',
  },
  {
    file: 'server/sql/events/recent_events.sql',
    reason: 'Reads events; the hour in the statement selects the partitions.',
  },
  {
    file: 'server/sql/platform/make_days.sql',
    reason: 'Creates partitions of the table that a function of its context names.',
  },
  {
    file: 'server/sql/platform/drop_days.sql',
    reason: 'Drops partitions of the table that a function of its context names.',
  },
];
