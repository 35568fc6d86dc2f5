-- Whether users take calls: inbound and internal calls do not ring the extensions of users who are away or do not want to be
-- disturbed. All existing users are available; `availability_since` is null until they say otherwise.
ALTER TABLE users
  ADD COLUMN availability text NOT NULL DEFAULT 'available'
    CONSTRAINT users_availability CHECK (availability IN ('available', 'away', 'do_not_disturb')),
  ADD COLUMN availability_reason text,
  ADD COLUMN availability_since timestamptz(3);

-- The erasure of a person clears reasons that name them.
GRANT UPDATE (availability_reason) ON users TO disca_operator;
