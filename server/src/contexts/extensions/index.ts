export { type CallingExtension, findCallingExtension, type Registration } from './calling-extension.store.ts';
export { allowPlainUntil, countDigests, countOnlySealed, findEdgeKeys } from './digest.store.ts';
export { eraseFromExtensions } from './erasure.store.ts';
export { countExtensions, findExtensionsOf } from './extension.store.ts';
export { linkExtensions } from './link-extensions.ts';
export { senhaSeals } from './reseal-senhas.ts';
