/** What is known of a party's leg. Times are in milliseconds since 1970. */
export interface LegState {
  /** Id of the call; empty at a calling party. */
  callId: string;
  answeredAtMs?: number;
  endedAtMs?: number;
  /** SIP status with which a call ended that was not answered. */
  status?: number;
}

/** The recording of what a party heard. */
export interface Hearing {
  file: string;
  /** When the file starts; undefined if only its length is known. */
  startMs?: number;
}

/** One party's leg of a call. */
export interface Leg {
  state(): LegState | undefined | Promise<LegState | undefined>;
  hangUp(): Promise<void>;
  /** Returns what the party heard, after the leg has ended. */
  heard(): Promise<Hearing>;
  /** Removes what was recorded. */
  forget(): void;
}

/** A phone that plays a tone, preceded by the first word, and records what it hears. */
export interface AudioPhone {
  /** Prepares the phone for its next incoming call; the result returns the leg once the phone rings. */
  expectCall(hertz: number): Promise<() => Leg | undefined | Promise<Leg | undefined>>;
  dial(to: string, hertz: number): Promise<Leg>;
}
