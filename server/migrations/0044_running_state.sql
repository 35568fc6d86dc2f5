-- The state of a running call changes in live_calls only; calls is written when a call is placed and when it ends.
ALTER TABLE live_calls
  -- The entries of the timeline since the call was placed. The end of the call copies them to calls.
  ADD COLUMN timeline jsonb NOT NULL DEFAULT '[]';

-- Lists of running calls read the live calls of an account in the order of their ids.
CREATE INDEX live_calls_newest ON live_calls (account_id, call_id);
DROP INDEX live_calls_account;
