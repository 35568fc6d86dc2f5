-- What each leg of a call sent, received and lost, and how good its audio was, written with the end of the call. Null for
-- calls that were not answered, and for those of earlier releases.
ALTER TABLE calls ADD COLUMN quality jsonb;

-- Operators end the calls of an account that they block.
GRANT UPDATE (quality) ON calls TO disca_operator;
