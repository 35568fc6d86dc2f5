-- Every USER could list all calls of the account and open all recordings. An ADMIN now decides what each USER may do.
-- Users whom no ADMIN has decided about follow users_see of their account: existing accounts keep what USERs saw before,
-- accounts that are created from now on start with own calls and own recordings. The previous release ignores the
-- columns: while it runs beside this one, or after going back, USERs see what they saw with it.
ALTER TABLE accounts ADD COLUMN users_see text NOT NULL DEFAULT 'all' CHECK (users_see IN ('own', 'all'));
ALTER TABLE accounts ALTER COLUMN users_see SET DEFAULT 'own';

ALTER TABLE users
  ADD COLUMN sees_calls text CHECK (sees_calls IN ('own', 'all')),
  ADD COLUMN hears_recordings text CHECK (hears_recordings IN ('none', 'own', 'all')),
  ADD COLUMN uses_money boolean NOT NULL DEFAULT false,
  ADD COLUMN uses_webhooks boolean NOT NULL DEFAULT true,
  ADD COLUMN supervises boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT users_decided CHECK ((sees_calls IS NULL) = (hears_recordings IS NULL)),
  ADD CONSTRAINT users_supervises CHECK (NOT supervises OR coalesce(sees_calls, '') = 'all');

-- The calls of one user, in the order of lists. Most calls have no other requester than their user, so the second index
-- has few rows. An index that a partition already has, with the same columns, is used instead of building it
-- (docs/operate/upgrade.md).
CREATE INDEX calls_user ON calls (account_id, user_id, id);
CREATE INDEX calls_requester ON calls (account_id, requested_by, id) WHERE requested_by IS DISTINCT FROM user_id;

-- The user or service token to whom a link was issued; null for links from before.
ALTER TABLE recording_accesses ADD COLUMN issued_to uuid;
