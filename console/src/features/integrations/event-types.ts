import { eventTypes } from '../../../../sdk/src/generated/event-types.ts';

export { eventTypes };
export type EventType = (typeof eventTypes)[number];

export const deliveryStates = ['delivered', 'pending', 'failed'] as const;

/** Billing events are sent to ADMINs only, whatever an integration subscribes to. */
export const typesFor = (isAdmin: boolean): EventType[] =>
  eventTypes.filter((type) => isAdmin || (type !== 'charge-paid' && type !== 'balance-low'));
