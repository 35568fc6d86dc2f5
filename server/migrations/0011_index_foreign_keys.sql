-- Removing an account looks for its rows in every table that refers to it. Without an index each removed account would
-- read the tokens and addresses of all accounts, and the sweep of unconfirmed signups would run out of time.
CREATE INDEX access_tokens_account ON access_tokens (account_id);
CREATE INDEX known_addresses_account ON known_addresses (account_id);
