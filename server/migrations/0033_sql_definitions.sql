-- Functions, views, triggers and policies are now files under server/sql, installed after the migrations. These tables
-- record what is installed, so that only changed files are applied and changes made by hand are noticed.

-- One row per file of server/sql.
CREATE TABLE sql_definitions (
  -- The path below server/sql, without .sql.
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- One row per function, view, trigger and policy as it stood after the last installation.
CREATE TABLE sql_objects (
  identity text PRIMARY KEY,
  checksum text NOT NULL
);

-- The revision of server/sql that is installed. An older release never replaces the definitions of a newer one.
CREATE TABLE sql_revision (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  revision integer NOT NULL
);
