export { bodyOf, messageIdOf } from './tell-event.ts';
