-- Replaces a sealed TOTP secret, unless it was changed meanwhile: the operator may have set up another app.
CREATE OR REPLACE FUNCTION replace_operator_secret(of_operator bigint, seen text, fresh text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE operators SET totp_sealed = fresh WHERE id = of_operator AND totp_sealed = seen;
END
$$;
REVOKE ALL ON FUNCTION replace_operator_secret FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replace_operator_secret TO disca_service;
