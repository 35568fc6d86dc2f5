import { C } from 'jssip';
import type { EndEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession.js';
import type { EndReason, PhoneCall } from '../state.ts';
import { toEndReason } from './end-reason.ts';
import { limitIceGathering } from './ice-gathering.ts';
import { closeMicrophone } from './microphone.ts';
import { createQualityMeter } from './quality.ts';
import { play, type Sound } from './sounds.ts';

export interface CallListener {
  onChange(call: PhoneCall): void;
  onEnd(call: PhoneCall, reason: EndReason): void;
}

export type NewCall = Pick<PhoneCall, 'number' | 'direction' | 'isPlaced' | 'stage' | 'id'>;

const qualityMs = 2_000;
const toneMs = 120;

/** One call, from ringing to its end. */
export class Call {
  #state: PhoneCall;
  readonly #listener: CallListener;
  readonly #speaker = new Audio();
  #session: RTCSession | undefined;
  #microphone: MediaStream | undefined;
  #silence: (() => void) | undefined;
  #measuring: ReturnType<typeof setInterval> | undefined;
  #isOver = false;
  /** When the destination of a placed call answered; null if at an unknown time. */
  #destinationAnswered: string | null | undefined;

  constructor(initial: NewCall, listener: CallListener) {
    const unknown = {
      party: undefined,
      connectedAtMs: undefined,
      answeredAtMs: undefined,
      quality: undefined,
    };
    this.#state = { ...initial, ...unknown, isRecorded: false, isMuted: false, keys: '', isSilenced: false };
    this.#listener = listener;
    if (initial.stage === 'incoming') this.#sound('ring');
  }

  get state(): PhoneCall {
    return this.#state;
  }

  get session(): RTCSession | undefined {
    return this.#session;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  change(changed: Partial<PhoneCall>): void {
    if (this.#isOver) return;
    this.#state = { ...this.#state, ...changed };
    this.#listener.onChange(this.#state);
  }

  /** Attaches the SIP session, whose events drive the call state. */
  follow(session: RTCSession): void {
    this.#session = session;
    const isOutgoing = this.#state.direction === 'out';
    // Outgoing sessions already have a peer connection.
    if (isOutgoing) this.#attend(session.connection);
    else session.on('peerconnection', ({ peerconnection }) => this.#attend(peerconnection));
    session.on('icecandidate', limitIceGathering());
    session.on('progress', (event: object) => isOutgoing && this.#ring(event as OutgoingEvent));
    session.on('accepted', () => this.#onAccepted());
    session.on('ended', (end) => this.#onEnd(end));
    session.on('failed', (end) => this.#onEnd(end));
  }

  /** Shows what the call's record says. */
  describe(known: Pick<PhoneCall, 'isPlaced' | 'party' | 'isRecorded'>): void {
    this.change(known);
    this.#advance();
    if (this.#destinationAnswered !== undefined) this.connect(this.#destinationAnswered);
  }

  /** The destination of a placed call rings. */
  alert(): void {
    const { isPlaced, connectedAtMs, stage } = this.#state;
    if (isPlaced === false || connectedAtMs === undefined || stage === 'talking') return;
    this.change({ isPlaced: true, stage: 'ringing' });
  }

  /** The destination of a placed call answered. Clocks differ, so the time is limited to what is possible here. */
  connect(answeredAt: string | null | undefined): void {
    this.#destinationAnswered = answeredAt ?? null;
    const { isPlaced, connectedAtMs, stage } = this.#state;
    if (!isPlaced || connectedAtMs === undefined || stage === 'talking') return;
    const atMs = answeredAt ? Date.parse(answeredAt) : Date.now();
    this.change({ stage: 'talking', answeredAtMs: Math.min(Math.max(atMs, connectedAtMs), Date.now()) });
  }

  #onAccepted(): void {
    this.#sound(undefined);
    this.change({ connectedAtMs: Date.now() });
    this.#advance();
  }

  /** Goes on once this phone is connected and it is known whether the destination still has to answer. */
  #advance(): void {
    const { isPlaced, connectedAtMs, stage } = this.#state;
    if (connectedAtMs === undefined || isPlaced === undefined || stage === 'talking') return;
    if (!isPlaced) this.change({ stage: 'talking', answeredAtMs: connectedAtMs });
    else if (stage !== 'ringing') this.change({ stage: 'dialing' });
  }

  /** Switches to this microphone. */
  async setMicrophone(stream: MediaStream): Promise<void> {
    if (this.#isOver) return closeMicrophone(stream);
    const former = this.#microphone;
    this.#microphone = stream;
    const [track = null] = stream.getAudioTracks();
    if (track) track.enabled = !this.#state.isMuted;
    const senders = this.#session?.connection?.getSenders() ?? [];
    if (former) await senders.find((sender) => sender.track?.kind === 'audio')?.replaceTrack(track);
    closeMicrophone(former);
  }

  setSpeaker(speakerId: string | undefined): void {
    this.#speaker.setSinkId?.(speakerId ?? '').catch(() => undefined);
  }

  mute(isMuted: boolean): void {
    for (const track of this.#microphone?.getAudioTracks() ?? []) track.enabled = !isMuted;
    this.change({ isMuted });
  }

  press(key: string): void {
    if (this.#state.stage !== 'talking') return;
    this.#session?.sendDTMF(key, { transportType: C.DTMF_TRANSPORT.RFC2833, duration: toneMs });
    this.change({ keys: `${this.#state.keys}${key}` });
  }

  unsilence(): void {
    this.#speaker.play().then(
      () => this.change({ isSilenced: false }),
      () => undefined,
    );
  }

  /** Terminates the session, if it is still active. */
  leave(statusCode?: number): void {
    if (!this.#session || this.#session.isEnded()) return;
    this.#session.terminate(statusCode === undefined ? {} : { status_code: statusCode });
  }

  end(reason: EndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sound(undefined);
    clearInterval(this.#measuring);
    closeMicrophone(this.#microphone);
    this.#speaker.srcObject = null;
    this.#listener.onEnd(this.#state, reason);
  }

  #sound(which: Sound | undefined): void {
    this.#silence?.();
    this.#silence = which && play(which);
  }

  #ring({ response }: OutgoingEvent): void {
    this.change({ stage: 'ringing' });
    // A response with SDP carries early media, such as the destination's own ringback tone.
    if (!response.body && !this.#silence) this.#sound('ringback');
  }

  #attend(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track }) => this.#hear(track));
    const measure = createQualityMeter(connection);
    this.#measuring = setInterval(() => {
      if (this.#state.stage !== 'talking') return;
      void measure()
        .catch(() => undefined)
        .then((quality) => this.change({ quality }));
    }, qualityMs);
  }

  #hear(track: MediaStreamTrack): void {
    this.#speaker.srcObject = new MediaStream([track]);
    this.#speaker.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError')
        this.change({ isSilenced: true });
    });
  }

  #onEnd({ originator, cause, message }: EndEvent): void {
    const status = message && 'status_code' in message ? message.status_code : undefined;
    this.end(toEndReason(this.#state, { originator, cause, status }));
  }
}
