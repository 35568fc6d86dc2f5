-- A stolen password was enough to log in. Users can add second factors: one-time codes of an app (TOTP), whose secrets
-- are sealed with the key ring, and passkeys, of which only the public key is stored. A code is accepted once, so the
-- time step of the last one is kept; a passkey answers a signed challenge, so the time of the last one is kept.
-- Recovery codes are random texts of 80 bits, of which only hashes are stored; a used one is deleted.
CREATE TABLE second_factors (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
  name text NOT NULL,
  secret_sealed text,
  last_time_step bigint,
  credential_id text UNIQUE,
  public_key bytea,
  sign_count bigint,
  transports text[],
  last_challenge_at timestamptz,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT second_factors_totp CHECK (
    num_nonnulls(secret_sealed, last_time_step) = CASE kind WHEN 'totp' THEN 2 ELSE 0 END),
  CONSTRAINT second_factors_passkey CHECK (
    num_nonnulls(credential_id, public_key, sign_count, transports, last_challenge_at)
      = CASE kind WHEN 'passkey' THEN 5 ELSE 0 END)
);
CREATE INDEX second_factors_account ON second_factors (account_id);
CREATE INDEX second_factors_user ON second_factors (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors TO disca_service;

CREATE TABLE recovery_codes (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
CREATE INDEX recovery_codes_account ON recovery_codes (account_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_codes TO disca_service;

-- When the user of the token last proved with password and second factor to be there; a login is a proof. Managing
-- second factors needs a recent one.
ALTER TABLE access_tokens ADD COLUMN proved_at timestamptz;

-- Whether ADMINs of the account must have a second factor.
ALTER TABLE accounts ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;

-- The last login with POST /users/login, which may be a program that cannot send a code.
ALTER TABLE users ADD COLUMN last_api_login_at timestamptz;
