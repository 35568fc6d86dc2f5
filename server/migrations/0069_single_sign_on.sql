-- Companies manage logins in one place, their identity provider, and want to end access there. An account can let its
-- users log in to the console with OpenID Connect.
CREATE TABLE single_sign_on (
  account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  issuer text NOT NULL,
  client_id text NOT NULL,
  secret_sealed text NOT NULL,
  -- Whether users of the account cannot log in with a password, except the exempt ADMIN.
  is_required boolean NOT NULL DEFAULT false,
  exempt_user_id bigint REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX single_sign_on_exempt ON single_sign_on (exempt_user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON single_sign_on TO disca_service;

-- The domains of e-mail addresses for which the provider of an account may vouch. The token is published in DNS, so it is
-- no secret. A domain is proved for one account at a time.
CREATE TABLE sso_domains (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain = lower(domain)),
  token text NOT NULL,
  proved_at timestamptz,
  PRIMARY KEY (account_id, domain)
);
CREATE UNIQUE INDEX sso_domains_proved ON sso_domains (domain) WHERE proved_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_domains TO disca_service;

-- The user at the provider to which a user is bound at the first login. The e-mail address may change afterwards.
CREATE TABLE sso_identities (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  last_login_at timestamptz NOT NULL,
  UNIQUE (account_id, issuer, subject)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_identities TO disca_service;

-- Whether the session of the console was opened with single sign-on. Such a session ends after 12 hours.
ALTER TABLE access_tokens ADD COLUMN is_sso boolean NOT NULL DEFAULT false;
