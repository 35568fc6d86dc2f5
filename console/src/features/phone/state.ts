import type { Party } from '../../../../server/src/platform/party.ts';
import type { texts } from '../../locales/pt-BR/index.ts';
import type { RefusalCause } from '../../shared/format/causes.ts';

/** State of the SIP registration. */
export type LineState = 'starting' | 'ready' | 'lost' | 'replaced' | 'refused';

export type MicrophoneError = 'refused' | 'missing' | 'busy';

/** Why the line or a call is unavailable. */
export type PhoneError =
  | { kind: 'microphone'; why: MicrophoneError }
  | { kind: 'problem'; status: number; code: string; message: string; requestId: string | undefined };

export interface Quality {
  grade: 'good' | 'fair' | 'poor';
  /** Recent packet loss of the received audio, in percent. */
  lossPercent: number;
  jitterMs: number;
  roundTripMs: number | undefined;
}

export interface PhoneCall {
  number: string;
  /** Direction of the SIP session. */
  direction: 'in' | 'out';
  /**
   * Whether a CRM placed the call for this extension: the phone rings first, and the destination is dialled when it is
   * answered. Undefined until known.
   */
  isPlaced: boolean | undefined;
  stage: 'dialing' | 'ringing' | 'incoming' | 'answering' | 'talking';
  /** Call id in the API, once known. */
  id: string | undefined;
  party: Party | undefined;
  isRecorded: boolean;
  /** When this phone answered or was answered. */
  connectedAtMs: number | undefined;
  /** When the other party answered. */
  answeredAtMs: number | undefined;
  isMuted: boolean;
  /** DTMF keys pressed so far. */
  keys: string;
  quality: Quality | undefined;
  /** Whether the browser blocks audio until the user clicks in the tab. */
  isSilenced: boolean;
}

export type EndReason = keyof typeof texts.phone.ended | RefusalCause;

export interface EndedCall {
  number: string;
  reason: EndReason;
  seconds: number;
  id: string | undefined;
}

/** State shared between tabs; must be structured-cloneable. */
export interface PhoneState {
  line: LineState;
  call: PhoneCall | undefined;
  ended: EndedCall | undefined;
  error: PhoneError | undefined;
}

export const initialState: PhoneState = {
  line: 'starting',
  call: undefined,
  ended: undefined,
  error: undefined,
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
  /** The user selected another microphone or speaker. */
  | { do: 'devices' }
  | { do: 'unsilence' };
