-- Ends the unencrypted registrations of an account that accepts only encrypted phones from now on.
CREATE OR REPLACE FUNCTION edge.forget_plain_phones() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM edge.location l WHERE l.domain = NEW.domain AND l.socket NOT LIKE 'tls:%';
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.forget_plain_phones FROM PUBLIC;

CREATE OR REPLACE TRIGGER forget_plain_phones AFTER UPDATE OF encrypted_phones_only ON public.accounts
  FOR EACH ROW WHEN (NEW.encrypted_phones_only AND NOT OLD.encrypted_phones_only)
  EXECUTE FUNCTION edge.forget_plain_phones();
