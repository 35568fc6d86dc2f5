/** All event types. Made by tools/api-types.ts. */
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
