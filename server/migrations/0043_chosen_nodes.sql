-- The API chooses the media node of a call when it places the call, so that only that node is woken.
ALTER TABLE media_nodes
  -- Calls that the node can still take. Null if its controller is of the previous release.
  ADD COLUMN free_slots integer;
GRANT UPDATE (free_slots) ON media_nodes TO disca_service;

ALTER TABLE live_calls
  -- The node that is expected to claim the call. Null: any node.
  ADD COLUMN chosen_node text,
  -- From this time on, by the clock of the database, any node may claim the call.
  ADD COLUMN chosen_until timestamptz(3);
-- A node finds the calls for which it was chosen without reading those of other nodes.
CREATE INDEX live_calls_unclaimed ON live_calls (chosen_node, call_id) WHERE node IS NULL;
DROP INDEX live_calls_waiting;
