import { type Fault, Refusal } from '../errors.ts';

/** A valid value, or what is wrong with it. */
export type Checked<T> = { value: T } | { problem: string };

/** Limit of reported errors; a filter of 4 kB rarely has more. */
const maxFaults = 50;

/** Collects all errors of a filter for one response. */
export class Faults {
  readonly list: Fault[] = [];

  add(path: string, code: string, message: string): undefined {
    if (this.list.length < maxFaults) this.list.push({ path, code, message });
    return undefined;
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw invalidFilter(...this.list);
  }
}

export function invalidFilter(...details: Fault[]): Refusal {
  return new Refusal('INVALID_FILTER', details.map((fault) => fault.message).join(' '), { details });
}
