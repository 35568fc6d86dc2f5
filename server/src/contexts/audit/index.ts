export { eraseEntries } from './erase-entries.ts';
export { type Actor, type Author, recordChange, recordChangeBy } from './record-change.ts';
