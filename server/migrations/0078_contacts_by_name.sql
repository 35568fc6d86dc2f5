-- Lists of contacts are sorted by name without case and accents, those without a name last, by deal. The order of `name`
-- itself put "ana" after "Zélia", and a name that may be null made every page read all contacts before it. Contacts are new
-- in this release, so no large table is rewritten.
ALTER TABLE contacts ADD COLUMN sort_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  CASE WHEN name IS NULL THEN '~' ELSE ' ' END ||
  lower(regexp_replace(normalize(coalesce(name, deal), NFD), '[\u0300-\u036f]', '', 'g'))
) STORED;
CREATE INDEX contacts_by_name ON contacts (account_id, sort_name, id);
DROP INDEX contacts_name;
