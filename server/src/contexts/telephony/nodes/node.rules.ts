import { type Fault, invalid } from '../../../platform/errors.ts';

/** A quarter of a node's slots, but at least one: test accounts are free, so many of them could fill every node. */
export const reservedForLive = (maxCalls: number): number =>
  Math.min(Math.max(Math.floor(maxCalls / 4), 1), maxCalls - 1);

const nameShape = /^[a-z0-9][a-z0-9-]{0,30}$/;
const addressShape = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}$/;

export function refuseFaultyNode({ name, sipAddress }: { name: string; sipAddress: string }): void {
  const faults: Fault[] = [];
  if (!nameShape.test(name)) {
    faults.push({
      path: 'name',
      code: 'invalid',
      message: 'name must be at most 31 lower-case letters, digits and hyphens.',
    });
  }
  // A host name is refused, because the edge authenticates nodes by IP address.
  if (!addressShape.test(sipAddress)) {
    faults.push({
      path: 'address',
      code: 'invalid',
      message: 'address must be an IP address and a port, such as 10.0.0.5:5060.',
    });
  }
  if (faults.length > 0) throw invalid(...faults);
}
