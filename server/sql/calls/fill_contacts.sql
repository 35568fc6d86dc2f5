-- Creates and updates contacts of any account from the metadata of calls, at most one row per account and number. The
-- latest call with a name or deal sets it. Contacts that people wrote stay as they are, and new numbers beyond the
-- budget of their account are ignored.
CREATE OR REPLACE FUNCTION fill_contacts(accounts bigint[], new_ids uuid[], numbers text[], names text[], deals text[],
  times timestamptz[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  -- Changes by people take the same lock; in the order of accounts, so that two fillings do not deadlock.
  PERFORM pg_advisory_xact_lock(hashtextextended('contacts:' || a.id, 0))
     FROM (SELECT DISTINCT id FROM unnest(accounts) AS u (id) ORDER BY id) a;
  WITH given AS (
    SELECT g.* FROM unnest(accounts, new_ids, numbers, names, deals, times)
      AS g (account_id, id, number, name, deal, at)
  ), fresh AS (
    SELECT g.account_id, g.number, row_number() OVER (PARTITION BY g.account_id ORDER BY g.at, g.id) AS nth
      FROM given g
     WHERE NOT EXISTS (SELECT FROM contacts c WHERE c.account_id = g.account_id AND c.number = g.number)
  ), room AS (
    SELECT f.account_id, b.most - (SELECT count(*) FROM contacts c WHERE c.account_id = f.account_id) AS free
      FROM (SELECT DISTINCT account_id FROM fresh) f
      JOIN effective_budgets b ON b.account_id = f.account_id AND b.resource = 'contacts'
  )
  INSERT INTO contacts AS kept (account_id, id, number, name, deal, source, created_at, updated_at)
  SELECT g.account_id, g.id, g.number, g.name, g.deal, 'metadata', g.at, g.at
    FROM given g
    LEFT JOIN fresh f ON f.account_id = g.account_id AND f.number = g.number
    LEFT JOIN room r ON r.account_id = g.account_id
   WHERE f.nth IS NULL OR (r.account_id IS NOT NULL AND (r.free IS NULL OR f.nth <= r.free))
      ON CONFLICT (account_id, number) DO UPDATE
     SET name = coalesce(excluded.name, kept.name), deal = coalesce(excluded.deal, kept.deal),
         updated_at = excluded.updated_at
   WHERE kept.source = 'metadata' AND kept.updated_at <= excluded.updated_at
     AND (coalesce(excluded.name, kept.name), coalesce(excluded.deal, kept.deal))
         IS DISTINCT FROM (kept.name, kept.deal);
END
$$;
REVOKE ALL ON FUNCTION fill_contacts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fill_contacts TO disca_service;
