-- Returns the fields of a call and what people wrote about it, as they are now, for events that do not contain them.
CREATE OR REPLACE FUNCTION noted_call(c calls) RETURNS jsonb LANGUAGE sql STABLE
  RETURN to_jsonb(c) - 'timeline' - 'quality' || coalesce(
    (SELECT jsonb_build_object('disposition', n.disposition, 'note', n.note, 'tags', coalesce(n.tags, '{}'))
       FROM call_notes n WHERE n.account_id = c.account_id AND n.id = c.id),
    '{"disposition": null, "note": null, "tags": []}');
REVOKE ALL ON FUNCTION noted_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION noted_call TO disca_service;
