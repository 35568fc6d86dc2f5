-- With SIGNUP_APPROVAL, a new account places no outbound calls until the operator approves it. Null for all others.
ALTER TABLE accounts ADD COLUMN awaits_approval_since timestamptz;
GRANT UPDATE (awaits_approval_since) ON accounts TO disca_operator;
