/** The steps of a call, in order. */
export const callSteps = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
] as const;

/** Events of calls that are controlled while they run. Each may occur several times, between the answer and the end. */
export const controlEvents = [
  'channel-hold',
  'channel-unhold',
  'channel-transfer',
  'channel-conference',
] as const;

/** Events that may follow the steps of a call. They are shown with the call as it is when they are read. */
export const followingEvents = ['recording-ready', 'call-updated'] as const;

/** Types of events whose subject is a call. */
export const callEvents = [...callSteps, ...controlEvents, ...followingEvents] as const;

/** All event types that webhooks deliver. The SQL function `number_events` repeats them. */
export const eventTypes = [...callEvents, 'charge-paid', 'balance-low'] as const;

export type EventType = (typeof eventTypes)[number];
