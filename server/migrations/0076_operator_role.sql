-- Operator commands connected as the owner of the database, with Docker Compose its superuser. Their login roles are now
-- members of disca_operator, which owns nothing and may only do what the commands do: they read accounts, and write
-- what the grants below name. Money moves in ledger_post, and the operator log grows in append_operator_log.
DO $$
BEGIN
  CREATE ROLE disca_operator NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
GRANT USAGE ON SCHEMA public, edge TO disca_operator;

-- The exported tables, and what else the commands show, count or search.
GRANT SELECT ON accounts, users, known_addresses, second_factors, former_emails, invitations, single_sign_on, sso_domains,
  sso_identities, extensions, extension_presence, caller_ids, caller_id_calls, account_caps, account_budgets, budgets,
  budget_days, abuse_signals, phone_networks, calls, live_calls, call_notes, call_dispositions, call_words, call_pairs,
  contacts, recording_use, recordings, recording_accesses, recording_keys, audit_entries, requests, events, event_outbox,
  ledger_balances, ledger_transactions, ledger_checkpoints, call_holds, financial_accounts, charges, integrations,
  deliveries, delivery_attempts, rate_decks, rates, media_nodes, trunks, trunk_tests, edge.edges, edge.bans
  TO disca_operator;
-- No command reads the other columns of these tables.
GRANT SELECT (account_id, user_id, is_login) ON access_tokens TO disca_operator;
GRANT SELECT (account_id, user_id) ON recovery_codes TO disca_operator;
GRANT SELECT (ha1, ha1_sealed) ON phone_sessions TO disca_operator;

-- account block, unblock, close, go-live, go-test, reset-factors
GRANT UPDATE (status, mode, live_requested_at, updated_at) ON accounts TO disca_operator;
GRANT DELETE ON access_tokens, second_factors, recovery_codes TO disca_operator;
GRANT UPDATE (hangup_asked_at), DELETE ON live_calls TO disca_operator;
GRANT UPDATE (status, answered_at, ended_at, duration, billed_duration, hangup_cause, ended_by, minute_price_micros,
  call_price_micros, node, timeline) ON calls TO disca_operator;
GRANT INSERT ON audit_entries, event_outbox TO disca_operator;

-- account review, budgets, caps, caller-id
GRANT UPDATE (lifted_at) ON abuse_signals TO disca_operator;
GRANT INSERT, UPDATE, DELETE ON account_budgets TO disca_operator;
GRANT UPDATE (test_most, live_most) ON budgets TO disca_operator;
GRANT INSERT, UPDATE ON account_caps TO disca_operator;
GRANT INSERT, UPDATE, DELETE ON caller_ids TO disca_operator;

-- ledger audit
GRANT INSERT, UPDATE ON ledger_checkpoints TO disca_operator;

-- keys unseal
GRANT SELECT, INSERT, UPDATE ON edge.plain_digests TO disca_operator;

-- node, rates, trunk
GRANT INSERT, UPDATE (state), DELETE ON media_nodes TO disca_operator;
GRANT INSERT ON rate_decks, rates TO disca_operator;
GRANT INSERT, UPDATE, DELETE ON trunks TO disca_operator;
GRANT INSERT, DELETE ON trunk_tests TO disca_operator;

-- person erase
GRANT UPDATE (email, phone) ON accounts TO disca_operator;
GRANT UPDATE (phone), DELETE ON users, invitations TO disca_operator;
GRANT DELETE ON former_emails, caller_id_calls, requests, call_pairs, call_words, contacts TO disca_operator;
GRANT UPDATE (first_name, last_name, email_address, bina, user_id) ON extensions TO disca_operator;
GRANT UPDATE (phone, mobile_phone, additional_emails) ON financial_accounts TO disca_operator;
GRANT UPDATE ("to", "from", caller_id, bina, email, first_name, last_name, metadata) ON calls TO disca_operator;
GRANT UPDATE (note, tags) ON call_notes TO disca_operator;
GRANT UPDATE (data) ON events, event_outbox TO disca_operator;
GRANT UPDATE (state, removed_at, expires_at, may_have_file) ON recordings TO disca_operator;
GRANT UPDATE (address) ON recording_accesses TO disca_operator;
GRANT UPDATE (destination) ON call_holds TO disca_operator;
GRANT UPDATE (response_body), DELETE ON delivery_attempts TO disca_operator;
GRANT UPDATE (actor_email, address, request_id, before, after) ON audit_entries TO disca_operator;

-- operator, operators, operator-log, approvals
GRANT SELECT ON operators, operator_sessions, operator_log, operator_log_head, operator_approvals TO disca_operator;
GRANT INSERT, UPDATE, DELETE ON operators TO disca_operator;
GRANT INSERT, DELETE ON operator_sessions TO disca_operator;
GRANT INSERT, UPDATE (decision, decided_at, decided_by) ON operator_approvals TO disca_operator;
