-- A part of a new account's card payments is credited only when the money has arrived, or after 30 days.
ALTER TABLE charges
  ADD COLUMN paid_with text,
  ADD COLUMN retained_micros bigint NOT NULL DEFAULT 0 CHECK (retained_micros >= 0),
  ADD COLUMN retained_until timestamptz;

-- Suspended accounts place no outbound calls until the operator lifts it.
ALTER TABLE account_caps
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN suspended_reason text,
  ADD CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL));
GRANT INSERT (account_id, suspended_at, suspended_reason), UPDATE (suspended_at, suspended_reason)
  ON account_caps TO disca_service;
