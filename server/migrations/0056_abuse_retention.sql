-- Signals and networks are deleted after 90 days; the sweeps find them by these indexes.
CREATE INDEX abuse_signals_at ON abuse_signals (at);
CREATE INDEX phone_networks_last_at ON phone_networks (last_at);
