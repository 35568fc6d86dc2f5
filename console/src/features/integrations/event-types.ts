export const eventTypes = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
  'recording-ready',
  'charge-paid',
  'balance-low',
] as const;
export type EventType = (typeof eventTypes)[number];

export const deliveryStates = ['delivered', 'pending', 'failed'] as const;

/** Money is told to administrators only, whatever an integration lists. */
export const typesFor = (isAdmin: boolean): EventType[] =>
  eventTypes.filter((type) => isAdmin || (type !== 'charge-paid' && type !== 'balance-low'));
