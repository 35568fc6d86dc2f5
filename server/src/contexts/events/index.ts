export { createProgressFeed } from './call-progress.ts';
export { createEventWaiter } from './event-waiter.ts';
export { findRecipient } from './feed.store.ts';
export { presentEvent, webhookMessageId } from './present-event.ts';
export { type Reconciled, reconcile } from './reconcile.ts';
