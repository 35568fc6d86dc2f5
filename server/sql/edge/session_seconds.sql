-- Returns the seconds that a phone session has left, or 0, after the edge has verified its password.
CREATE OR REPLACE FUNCTION edge.session_seconds(of_domain varchar, identity varchar) RETURNS integer
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN coalesce((
    SELECT ceil(extract(epoch FROM s.expires_at - now()))::integer
      FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
     WHERE s.username = identity AND a.domain = of_domain AND s.ended_at IS NULL AND s.expires_at > now()), 0);
END
$$;
REVOKE ALL ON FUNCTION edge.session_seconds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.session_seconds TO disca_edge;
