-- Marks an extension as unregistered when its registration ends. The row is kept, because the next login updates it.
CREATE OR REPLACE FUNCTION edge.follow_end() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.extension_presence p SET expires_at = least(p.expires_at, now())
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE p.extension_id = e.id AND a.domain = OLD.domain AND e.ramal = OLD.username
     AND p.sip_call_id = OLD.callid
     AND NOT EXISTS (SELECT FROM edge.location l WHERE l.domain = OLD.domain AND l.username = OLD.username);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.follow_end FROM PUBLIC;

CREATE OR REPLACE TRIGGER follow_end AFTER DELETE ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.follow_end();
