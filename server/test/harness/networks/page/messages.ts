/** Messages between the page and the test. */
export interface PhoneLogin {
  url: string;
  uri: string;
  user: string;
  password: string;
  expiresSeconds: number;
  iceServers: { urls: string[]; username: string; credential: string }[];
  /** Uses TURN candidates only. */
  relayOnly: boolean;
}

export interface PhoneEvent {
  what: string;
  detail: string;
}

/** The audio path, its encryption and its volume. */
export interface Traffic {
  local: string | undefined;
  relayProtocol: string | undefined;
  remote: string | undefined;
  cipher: string | undefined;
  energyReceived: number;
}

/** A sample of the received audio. */
export interface Hearing {
  rate: number;
  samples: number[];
}
