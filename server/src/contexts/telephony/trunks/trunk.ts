/** A carrier, as the operator describes it. */
export interface Trunk {
  id: number;
  name: string;
  mode: 'test' | 'live';
  /** host:port, as it stands in a SIP URI. */
  address: string;
  /** Beginnings of the numbers it takes; none means all. */
  prefixes: string[];
  /** Of those with the same prefix, the lowest is tried first. */
  priority: number;
  defaultCallerId: string;
  /** `owned`: the carrier lets us show our customers' numbers. `default`: it shows only its own. */
  callerIdRule: 'owned' | 'default';
  /** How it wants the number: so many digits off, then these in front. */
  stripDigits: number;
  addDigits: string;
  enabled: boolean;
}
