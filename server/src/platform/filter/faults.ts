import { type Fault, Refusal } from '../errors.ts';

/** A filter of 4 kB cannot be wrong in many more places than it is useful to name. */
const mostFaults = 50;

/** Gathers every fault of a filter, so that one answer names them all. */
export class Faults {
  readonly list: Fault[] = [];

  add(path: string, code: string, message: string): undefined {
    if (this.list.length < mostFaults) this.list.push({ path, code, message });
    return undefined;
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw invalidFilter(...this.list);
  }
}

export function invalidFilter(...details: Fault[]): Refusal {
  return new Refusal('INVALID_FILTER', details.map((fault) => fault.message).join(' '), { details });
}
