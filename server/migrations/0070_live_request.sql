-- A test account asks to become live in the console; until the operator decides, disca account list --waiting shows it.
ALTER TABLE accounts ADD COLUMN live_requested_at timestamptz;
