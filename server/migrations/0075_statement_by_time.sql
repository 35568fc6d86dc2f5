-- The totals of a period of the statement, and the statement of a month, are read by time. The index has the amounts, so
-- that totals read no rows. Built before the upgrade in large ledgers (docs/operate/upgrade.md), under this name.
CREATE INDEX IF NOT EXISTS ledger_statement_time ON ledger_transactions (account_id, book, at)
  INCLUDE (kind, available_micros, held_micros) WHERE kind NOT IN ('hold', 'release');
