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
  /** In milliseconds since 1970. */
  atMs: number;
}

/** The tones of a page whose calls are measured. */
export interface Tones {
  firstWord: { hertz: number; ms: number };
  hertz: number;
}

/** What the page heard in its last call, as 16-bit samples in base64. */
export interface Recording {
  rate: number;
  /** When it starts, in milliseconds since 1970. */
  startMs: number;
  samples: string;
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
