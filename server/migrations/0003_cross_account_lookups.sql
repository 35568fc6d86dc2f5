-- The few questions that cannot name an account beforehand, each a function of its own that runs as the owner.
-- Nothing else of the service sees across accounts. plpgsql, because it keeps its plans between calls.

-- Who is behind this token, now? Only live tokens of active accounts answer.
CREATE FUNCTION find_token(token_hash bytea, at timestamptz)
  RETURNS TABLE (
    account_id bigint, user_id bigint, uuid uuid, name text, email text, phone text, role text, locale text,
    email_verified boolean, created_at timestamptz, updated_at timestamptz, last_login_at timestamptz,
    last_used_at timestamptz
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT u.account_id, u.id, u.uuid, u.name, u.email, u.phone, u.role, u.locale,
           u.email_verified, u.created_at::timestamptz, u.updated_at::timestamptz, u.last_login_at::timestamptz,
           t.last_used_at::timestamptz
      FROM access_tokens t
      JOIN users u ON u.id = t.user_id
      JOIN accounts a ON a.id = t.account_id
     WHERE t.hash = token_hash AND t.expires_at > at AND a.status = 'active';
END
$$;

-- Who may log in with this e-mail, with which password, and did they from this address before? One question, so that
-- an unknown e-mail costs what a known one does. Also asked for reset and confirmation mails.
CREATE FUNCTION find_login(login_email text, from_address text)
  RETURNS TABLE (
    account_id bigint, account_name text, account_status text, user_id bigint, uuid uuid, email text, locale text,
    email_verified boolean, password_hash text, password_changed_at timestamptz, knows_address boolean
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT u.account_id, a.name, a.status, u.id, u.uuid, u.email, u.locale,
           u.email_verified, u.password_hash, u.password_changed_at::timestamptz,
           EXISTS (SELECT FROM known_addresses k WHERE k.user_id = u.id AND k.address = from_address)
      FROM users u JOIN accounts a ON a.id = u.account_id
     WHERE lower(u.email) = lower(login_email);
END
$$;

-- Whose link was opened? A mailed link names its user by uuid, and its signature was checked before.
CREATE FUNCTION find_user_account(user_uuid uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
  RETURN (SELECT u.account_id FROM users u WHERE u.uuid = user_uuid);
END
$$;

-- Is this domain taken? Signup tells every fault at once, so it must know before it writes.
CREATE FUNCTION domain_exists(wanted text) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM accounts a WHERE a.domain = wanted);
END
$$;

-- When were these tokens last used? Written in batches, away from the requests that used them.
CREATE FUNCTION touch_tokens(hashes bytea[], times timestamptz[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
  UPDATE access_tokens t
     SET last_used_at = used.at
    FROM unnest(hashes, times) AS used (hash, at)
   WHERE t.hash = used.hash AND (t.last_used_at IS NULL OR t.last_used_at < used.at);
END
$$;

-- Sweeps remove at most `most` rows a call, so that none of them holds locks for long.
CREATE FUNCTION sweep_expired_tokens(at timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM access_tokens WHERE hash IN (
    SELECT hash FROM access_tokens WHERE expires_at <= at AND expires_at < 'infinity' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

CREATE FUNCTION sweep_unconfirmed_accounts(created_before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM accounts WHERE id IN (
    SELECT id FROM accounts WHERE status = 'pending' AND created_at < created_before
     LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION find_token, find_login, find_user_account, domain_exists, touch_tokens,
  sweep_expired_tokens, sweep_unconfirmed_accounts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_token, find_login, find_user_account, domain_exists, touch_tokens,
  sweep_expired_tokens, sweep_unconfirmed_accounts TO disca_service;
