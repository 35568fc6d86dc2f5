export { type Actor, recordChange } from './record-change.ts';
