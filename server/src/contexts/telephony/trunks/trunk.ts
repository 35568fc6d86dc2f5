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
  transport: 'udp' | 'tcp' | 'tls';
  /** Whether unencrypted audio is refused, in calls to and from the carrier. */
  srtp: boolean;
  /** Digest credentials for calls to the carrier. */
  outboundLogin: SealedLogin | null;
  /** Digest credentials demanded for calls from the carrier; without them its address is enough. */
  inboundLogin: SealedLogin | null;
  /** When its address or protection was changed. */
  changedAt: Date;
  enabled: boolean;
}

export interface SealedLogin {
  user: string;
  passwordSealed: string;
}

export interface TrunkLogin {
  user: string;
  password: string;
}
