-- How a trunk is protected: its transport, media encryption, and the digest credentials of either direction. Passwords
-- are sealed by a key that the database does not have.
ALTER TABLE trunks
  ADD COLUMN transport text NOT NULL DEFAULT 'udp' CHECK (transport IN ('udp', 'tcp', 'tls')),
  ADD COLUMN srtp boolean NOT NULL DEFAULT false,
  -- For calls to the carrier.
  ADD COLUMN outbound_user text CHECK (outbound_user ~ '^[A-Za-z0-9._@+-]{1,64}$'),
  ADD COLUMN outbound_password_sealed text,
  -- Demanded for calls from the carrier.
  ADD COLUMN inbound_user text CHECK (inbound_user ~ '^[A-Za-z0-9._@+-]{1,64}$'),
  ADD COLUMN inbound_password_sealed text,
  -- When any of these was changed. Names the settings at media nodes.
  ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CHECK ((outbound_user IS NULL) = (outbound_password_sealed IS NULL)),
  ADD CHECK ((inbound_user IS NULL) = (inbound_password_sealed IS NULL)),
  -- The keys of SRTP are sent in the signalling.
  ADD CHECK (NOT srtp OR transport = 'tls');
