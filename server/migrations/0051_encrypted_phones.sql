-- Whether phones of an account must use TLS or a secure WebSocket, which also encrypt their audio.
ALTER TABLE accounts ADD COLUMN encrypted_phones_only boolean NOT NULL DEFAULT false;
