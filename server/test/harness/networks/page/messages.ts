/** What the page and the test tell each other. */
export interface PhoneLogin {
  url: string;
  uri: string;
  user: string;
  password: string;
  expiresSeconds: number;
  iceServers: { urls: string[]; username: string; credential: string }[];
  /** No way is tried but that through TURN. */
  relayOnly: boolean;
}

export interface PhoneEvent {
  what: string;
  detail: string;
}

/** By which way its audio goes, how it is encrypted, and how loud it has been. */
export interface Traffic {
  local: string | undefined;
  relayProtocol: string | undefined;
  remote: string | undefined;
  cipher: string | undefined;
  energyReceived: number;
}

/** A moment of what is heard. */
export interface Hearing {
  rate: number;
  samples: number[];
}
