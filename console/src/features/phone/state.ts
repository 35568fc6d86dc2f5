/** Whether calls can come and go. */
export type LineState = 'starting' | 'ready' | 'lost' | 'replaced' | 'refused';

export type MicrophoneTrouble = 'refused' | 'missing' | 'busy';

/** Why there is no line, or no call. */
export type Trouble =
  | { kind: 'microphone'; why: MicrophoneTrouble }
  | { kind: 'problem'; status: number; code: string; message: string; requestId: string | undefined };

export interface Quality {
  grade: 'good' | 'fair' | 'poor';
  /** Of what was sent to us lately, in percent. */
  lossPercent: number;
  jitterMs: number;
  roundTripMs: number | undefined;
}

export interface PhoneCall {
  number: string;
  direction: 'in' | 'out';
  stage: 'dialing' | 'ringing' | 'incoming' | 'answering' | 'talking';
  /** As the API knows it, once that is known. */
  id: string | undefined;
  answeredAtMs: number | undefined;
  isMuted: boolean;
  /** Pressed so far. */
  keys: string;
  quality: Quality | undefined;
  /** The browser plays no sound before somebody clicks in the tab. */
  isSilenced: boolean;
}

export type EndReason =
  | 'you'
  | 'them'
  | 'missed'
  | 'rejected'
  | 'busy'
  | 'noAnswer'
  | 'declined'
  | 'credit'
  | 'notAllowed'
  | 'unknownNumber'
  | 'unavailable'
  | 'connection'
  | 'media';

export interface EndedCall {
  number: string;
  reason: EndReason;
  seconds: number;
  id: string | undefined;
}

/** All that tabs tell each other of the phone, so it holds plain values only. */
export interface PhoneState {
  line: LineState;
  call: PhoneCall | undefined;
  ended: EndedCall | undefined;
  trouble: Trouble | undefined;
}

export const initialState: PhoneState = {
  line: 'starting',
  call: undefined,
  ended: undefined,
  trouble: undefined,
};

export type Command =
  | { do: 'dial'; number: string }
  | { do: 'answer' }
  | { do: 'reject' }
  | { do: 'hangUp' }
  | { do: 'mute'; isMuted: boolean }
  | { do: 'press'; key: string }
  | { do: 'takeOver' }
  | { do: 'dismiss' }
  /** Another microphone or loudspeaker was chosen. */
  | { do: 'devices' }
  | { do: 'unsilence' };
