import { InvalidArgumentError } from 'commander';
import { eventTypes } from '../sdk/src/index.ts';

export { eventTypes };

export function listOfTypes(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.filter((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown event type ${unknown.join(', ')}. Types are ${eventTypes.join(', ')}.`,
    );
  return types;
}
