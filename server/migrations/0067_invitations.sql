-- ADMINs chose passwords for new users and passed them on by hand. An invitation is a mailed link instead, on whose page
-- the invited person sets a password, which also confirms the address. Its uuid becomes that of the user.
CREATE TABLE invitations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid uuid NOT NULL UNIQUE,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  phone text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'USER')),
  locale text NOT NULL CHECK (locale IN ('pt-BR', 'en')),
  -- Null for a service token, and when the user was removed.
  invited_by bigint REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitations_email ON invitations (account_id, lower(email));
CREATE INDEX invitations_invited_by ON invitations (invited_by);
CREATE INDEX invitations_expiry ON invitations (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO disca_service;
