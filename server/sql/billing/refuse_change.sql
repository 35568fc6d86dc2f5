-- Rejects changes to append-only tables, including changes by their owner.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE ledger_transactions ENABLE ALWAYS TRIGGER append_only;

CREATE OR REPLACE TRIGGER append_only_whole BEFORE TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ledger_transactions ENABLE ALWAYS TRIGGER append_only_whole;
