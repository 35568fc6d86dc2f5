-- A user who changed their e-mail lost the old address at once, also if someone else had changed it. Old addresses are
-- kept for 72 hours: they log in, and one that was verified can undo the change.
CREATE TABLE former_emails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  was_verified boolean NOT NULL,
  email_by_admin text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX former_emails_account ON former_emails (account_id);
CREATE INDEX former_emails_user ON former_emails (user_id);
CREATE INDEX former_emails_email ON former_emails (lower(email));
CREATE INDEX former_emails_expiry ON former_emails (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON former_emails TO disca_service;

-- Where a session of the console was opened and in which browser, so that a user recognises it. Tokens of the API have
-- neither. A session of the console ends when it was not used for its ttl_seconds.
ALTER TABLE access_tokens ADD COLUMN opened_from text;
ALTER TABLE access_tokens ADD COLUMN user_agent text;

-- When the audit log last noted that the token read SIP passwords; it does so once per hour.
ALTER TABLE access_tokens ADD COLUMN senhas_noted_at timestamptz;
