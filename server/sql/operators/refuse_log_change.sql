-- Rejects changes to the operator log, including changes by its owner.
CREATE OR REPLACE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON operator_log
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
ALTER TABLE operator_log ENABLE ALWAYS TRIGGER append_only;

CREATE OR REPLACE TRIGGER append_only_whole BEFORE TRUNCATE ON operator_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
ALTER TABLE operator_log ENABLE ALWAYS TRIGGER append_only_whole;
