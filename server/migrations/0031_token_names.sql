-- A person who looks at the list of tokens must know which of them is a browser's session and which feeds the CRM.
ALTER TABLE access_tokens ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 60);
