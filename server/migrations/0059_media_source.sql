-- Whether the media of an account's unencrypted phones may come from another address than their signalling, as with a
-- telephone system that has a separate media server. Edges read the list of these accounts every few seconds.
ALTER TABLE accounts ADD COLUMN media_from_any_address boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_media_from_any_address ON accounts (domain) WHERE media_from_any_address;
