-- The sandbox: a payment gateway in miniature for accounts in test mode. It stands for somebody else's system, so it
-- knows payments by our reference and nothing of accounts; whoever has a payment's id may pay it, as with a real link.
CREATE TABLE sandbox_payments (
  -- Unguessable: it is the secret in the link of the payment page.
  id text PRIMARY KEY,
  number bigint NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  reference text NOT NULL UNIQUE,
  method text NOT NULL CHECK (method IN ('UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX')),
  total_micros bigint NOT NULL CHECK (total_micros > 0),
  due_date date NOT NULL,
  description text NOT NULL,
  -- A payment that is past its due date is still PENDING here; that it is overdue is seen when it is read.
  status text NOT NULL CHECK (status IN ('PENDING', 'CONFIRMED', 'RECEIVED', 'CANCELED', 'REFUNDED', 'CHARGEBACK')),
  -- What the payer chose.
  paid_by text CHECK (paid_by IN ('CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX')),
  created_at timestamptz(3) NOT NULL,
  -- The payer's newest attempt that was refused; the payment stays open.
  refused_at timestamptz(3),
  paid_at timestamptz(3),
  received_at timestamptz(3),
  refunded_at timestamptz(3)
);
GRANT SELECT, INSERT, UPDATE ON sandbox_payments TO disca_service;
