-- Returns the user of a token, or the service token itself, with the user's permissions, the token's scopes and allowed
-- addresses, how the account wants its requests handled, and whether the token is a console session of an ADMIN who lacks
-- a second factor that the account requires, if the token has not expired and the account is active. Single sign-on
-- counts as a second factor. Runs as the owner, because the account is not known before the lookup. Written in plpgsql,
-- which keeps its plan between calls.
CREATE OR REPLACE FUNCTION caller_of_token(token_hash bytea, at timestamptz)
  RETURNS TABLE (
    account_id bigint, user_id bigint, uuid uuid, name text, email text, phone text, role text, locale text,
    email_verified boolean, created_at timestamptz, updated_at timestamptz, last_login_at timestamptz,
    last_used_at timestamptz, request_handling text, is_service boolean, scopes text[], allowed_addresses text[],
    sees_calls text, hears_recordings text, uses_money boolean, uses_webhooks boolean, supervises boolean,
    is_console_session boolean, proved_at timestamptz, lacks_factor boolean
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT t.account_id, coalesce(u.id, t.service_id), coalesce(u.uuid, t.service_uuid), coalesce(u.name, t.name),
           coalesce(u.email, 'service token ' || t.name), coalesce(u.phone, ''), coalesce(u.role, 'ADMIN'),
           coalesce(u.locale, 'pt-BR'), coalesce(u.email_verified, true),
           coalesce(u.created_at, t.created_at)::timestamptz, coalesce(u.updated_at, t.created_at)::timestamptz,
           u.last_login_at::timestamptz, t.last_used_at::timestamptz, a.request_handling,
           t.service_id IS NOT NULL, t.scopes, t.allowed_addresses, coalesce(u.sees_calls, a.users_see),
           coalesce(u.hears_recordings, a.users_see), u.uses_money, u.uses_webhooks, u.supervises,
           t.is_console_session, t.proved_at::timestamptz,
           CASE WHEN a.second_factor_required AND t.is_console_session AND NOT t.is_sso AND u.role = 'ADMIN'
             THEN NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id)
             ELSE false END
      FROM access_tokens t
      LEFT JOIN users u ON u.id = t.user_id
      JOIN account_info a ON a.id = t.account_id
     WHERE t.hash = token_hash AND t.expires_at > at AND a.status = 'active';
END
$$;
REVOKE ALL ON FUNCTION caller_of_token FROM PUBLIC;
GRANT EXECUTE ON FUNCTION caller_of_token TO disca_service;
