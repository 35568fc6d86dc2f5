export { findRecipient } from './feed.store.ts';
export { type Reconciled, reconcile } from './reconcile.ts';
export { bodyOf, messageIdOf } from './tell-event.ts';
export { createEventWatch } from './watch-events.ts';
