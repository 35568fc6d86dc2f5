export { type CallingExtension, findCallingExtension } from './calling-extension.store.ts';
