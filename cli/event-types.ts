import { InvalidArgumentError } from 'commander';
import type { EventType } from '../sdk/src/index.ts';

/** A missing type does not compile. */
const knownTypes: Record<EventType, true> = {
  'channel-create': true,
  'channel-ringing': true,
  'channel-answer': true,
  'channel-hangup': true,
  'call-priced': true,
  'recording-ready': true,
  'charge-paid': true,
  'balance-low': true,
};

export const eventTypes = Object.keys(knownTypes) as EventType[];

export function listOfTypes(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.filter((type) => !(type in knownTypes));
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown event type ${unknown.join(', ')}. Types are ${eventTypes.join(', ')}.`,
    );
  return types;
}
