-- Returns whether a user receives events of a type: ADMINs receive all types; USERs with the permission for webhooks
-- receive events about calls, but not about money.
CREATE OR REPLACE FUNCTION receives_type(of_role text, has_webhooks boolean, of_type text)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN of_role = 'ADMIN' OR (has_webhooks AND of_type NOT IN ('charge-paid', 'balance-low'));
REVOKE ALL ON FUNCTION receives_type FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receives_type TO disca_service;
