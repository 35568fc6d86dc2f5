-- Logins replace the least recently used token of an earlier login, never a token that was created on purpose. Tokens
-- from before this column, and those that the previous release still issues, count as created on purpose.
ALTER TABLE access_tokens ADD COLUMN is_login boolean NOT NULL DEFAULT false;

-- The address that an ADMIN gave to the user. While it is also the user's e-mail, extensions with that e-mail belong to
-- the user, confirmed or not. It is compared rather than flagged, because the previous release does not clear it when
-- users change their own e-mail.
ALTER TABLE users ADD COLUMN email_by_admin text;

-- Users that were never changed still have the address that an ADMIN created them with.
UPDATE users SET email_by_admin = email WHERE NOT email_verified AND updated_at = created_at;
