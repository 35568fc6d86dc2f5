export { eraseEntries } from './erase-entries.ts';
export { type Actor, recordChange, recordChangeBy } from './record-change.ts';
