-- Running calls can be transferred and joined by further parties. `result` is what a transfer will have led to, from the
-- command on: its completion or cancellation is recorded when the engine has carried it out.
ALTER TABLE live_legs ADD COLUMN result text CHECK (result IN ('completed', 'cancelled'));
