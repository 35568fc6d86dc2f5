export { eraseEntries } from './erase-entries.ts';
export { type Actor, recordChange } from './record-change.ts';
