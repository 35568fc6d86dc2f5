export { findRecipient } from './feed.store.ts';
export { bodyOf, messageIdOf } from './tell-event.ts';
export { createEventWatch } from './watch-events.ts';
