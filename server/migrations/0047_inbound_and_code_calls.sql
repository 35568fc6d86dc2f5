-- Calls from outside are counted per called number instead of as concurrent calls of the account, so that callers cannot
-- take the slots that the account needs for its own calls. running_calls of ledger_balances no longer counts them; the
-- sweep corrects the counters of accounts with inbound calls that run during the upgrade.
ALTER TABLE account_caps ADD COLUMN inbound_calls_per_number integer CHECK (inbound_calls_per_number >= 0);
CREATE INDEX live_calls_inbound ON live_calls (account_id, (order_data->>'destination')) WHERE kind = 'inbound';

-- Code calls to one number are counted over all accounts.
CREATE INDEX caller_id_calls_number ON caller_id_calls (number);
