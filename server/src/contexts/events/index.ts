export { createEventWatch } from './event-waiter.ts';
export { findRecipient } from './feed.store.ts';
export { bodyOf, messageIdOf } from './present-event.ts';
export { type Reconciled, reconcile } from './reconcile.ts';
