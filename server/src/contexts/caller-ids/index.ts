export { ownsCallerId } from './caller-id.store.ts';
export type { PlaceCodeCall } from './caller-id.ts';
export { eraseCallerIds } from './erasure.store.ts';
export { assignCallerId, readCallerIds, unassignCallerId } from './operate-caller-ids.ts';
