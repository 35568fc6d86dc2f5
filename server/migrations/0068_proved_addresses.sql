-- A mail scanner that opens the confirmation link activates an account whose owner never saw the mail. The address counts
-- as proved only after a login from the page that the link opens. Existing accounts count as proved, and so do sign-ups
-- through instances of the previous release, which have no such page.
ALTER TABLE accounts ADD COLUMN address_proved boolean NOT NULL DEFAULT true;
UPDATE accounts SET address_proved = false WHERE status = 'pending';
