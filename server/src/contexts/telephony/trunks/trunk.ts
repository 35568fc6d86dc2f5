/** A carrier trunk, as configured by the operator. */
export interface Trunk {
  id: number;
  name: string;
  mode: 'test' | 'live';
  /** host:port, as in a SIP URI. */
  address: string;
  /** Number prefixes that the trunk accepts; an empty list accepts all. */
  prefixes: string[];
  /** Among trunks with the same prefix, the lowest is tried first. */
  priority: number;
  defaultCallerId: string;
  /** `owned`: the carrier presents our customers' numbers. `default`: it presents only its own. */
  callerIdRule: 'owned' | 'default';
  /** Number format: count of digits to strip, then the digits to prepend. */
  stripDigits: number;
  addDigits: string;
  enabled: boolean;
}
