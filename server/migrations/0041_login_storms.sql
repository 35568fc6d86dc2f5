-- Every refresh of a registration updates the extension's presence. Free space on each page lets the new row version stay
-- on it, without index entries, when thousands of phones log in between two vacuums.
ALTER TABLE extension_presence SET (fillfactor = 70);
