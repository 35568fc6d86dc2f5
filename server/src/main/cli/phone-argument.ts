import { InvalidArgumentError } from 'commander';
import { readPhone } from '../../platform/phone.ts';

/** Parses a telephone number to its digits with country code. */
export function phoneArgument(text: string): string {
  const reading = readPhone(text);
  if (reading.kind !== 'number') throw new InvalidArgumentError('Expected a valid number with country code.');
  return reading.digits;
}
