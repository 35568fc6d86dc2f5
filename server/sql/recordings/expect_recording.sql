-- Records, in the transaction that ends a call, that its recording is expected. If a node is given, only that node may
-- send the file. Runs with the rights of the service, which writes only rows of its account.
CREATE OR REPLACE FUNCTION expect_recording(of_call uuid, of_account bigint, key text, at timestamptz, of_node text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  INSERT INTO recordings AS r (call_id, account_id, state, expected_at, object_key, node)
    VALUES (of_call, of_account, 'expected', at, key, of_node)
    ON CONFLICT (call_id) DO UPDATE SET expected_at = excluded.expected_at, node = coalesce(excluded.node, r.node)
      WHERE r.state = 'expected';
END
$$;
REVOKE ALL ON FUNCTION expect_recording FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_recording TO disca_service;
