export { bodyOf, messageIdOf } from './tell-event.ts';
export { createEventWatch } from './watch-events.ts';
