import { loggedOut } from '../../../api/logged-out.ts';
import { isLoggedOut, isProblem, type Problem } from '../../../api/problem.ts';
import { phoneSettings } from '../settings.ts';
import type { Command, EndedCall, EndReason, PhoneCall, PhoneError, PhoneState } from '../state.ts';
import type { CallSnapshot, Engine, LiveCallKind } from '../tabs.ts';
import { Call, type NewCall } from './call.ts';
import { describeCall } from './describe-call.ts';
import { reasonOfCause } from './end-reason.ts';
import { Line, type NewSession } from './line.ts';
import { findActiveCall, findLatestCall, hangUpByApi, hangUpOnUnload } from './live-call.ts';
import { NoMicrophone, openMicrophone } from './microphone.ts';
import { isExtensionTaken } from './phone-session.ts';
import { whyCallsAreRefused } from './refused-calls.ts';

export interface EngineOptions {
  userUuid: string;
  extensionId: number;
  ramal: string;
  /** Whether another phone has registered the extension; undefined to check, null to take it over regardless. */
  isRegisteredElsewhere: boolean | null | undefined;
  update(change: Partial<PhoneState>): void;
}

const busyHere = 486;
const declined = 603;
const confirmationMs = 4_000;
const lateMs = 2_000;
const retryMs = 5_000;

/** The phone of this browser, in its leader tab. */
export class PhoneEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #stopping = new AbortController();
  #line: Line | undefined;
  #call: Call | undefined;
  /** The ended call that the phone shows. */
  #ended: EndedCall | undefined;
  /** Why the call was not connected, if its event arrived before its BYE. */
  #reported: { id: string; reason: EndReason } | undefined;
  #isGivenBack = false;
  /** Timers of calls that were hung up here and not yet reported as ended. */
  readonly #ending = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(options: EngineOptions) {
    this.#options = options;
    const { signal } = this.#stopping;
    window.addEventListener('beforeunload', (event) => this.#call && event.preventDefault(), { signal });
    window.addEventListener('pagehide', () => this.stop(), { signal });
    void this.#begin();
  }

  command(command: Command): void {
    const call = this.#call;
    switch (command.do) {
      case 'dial':
        this.#dial(command.number);
        break;
      case 'answer':
        this.#answer();
        break;
      case 'reject':
        call?.leave(declined);
        break;
      case 'hangUp':
        this.#hangUp();
        break;
      case 'mute':
        call?.mute(command.isMuted);
        break;
      case 'press':
        call?.press(command.key);
        break;
      case 'takeOver':
        this.#open();
        break;
      case 'dismiss':
        this.#update({ ended: undefined, error: undefined });
        break;
      case 'devices':
        this.#changeDevices();
        break;
      case 'unsilence':
        call?.unsilence();
        break;
      default:
        command satisfies never;
    }
  }

  onLiveCall(kind: LiveCallKind, live: CallSnapshot): void {
    const call = this.#call;
    if (kind === 'began' && call && call.state.id === undefined && this.#isSame(call.state, live)) {
      call.change({ id: live.id });
      void describeCall(call, this.#options.ramal);
    }
    if (kind === 'alerting' && call?.state.id === live.id) call.alert();
    if (kind === 'answered' && call?.state.id === live.id) call.connect(live.answeredAtIso);
    if (kind === 'ended') this.#onEnded(live);
  }

  #onEnded(live: CallSnapshot): void {
    const call = this.#call;
    clearTimeout(this.#ending.get(live.id));
    this.#ending.delete(live.id);
    const reason = live.hangupCause ? reasonOfCause(live.hangupCause) : undefined;
    if (this.#ended?.id === live.id && this.#ended.reason === 'notConnected' && reason)
      this.#update({ ended: { ...this.#ended, reason, seconds: live.duration ?? 0 } });
    if (call?.state.id !== live.id) return;
    const { isPlaced, connectedAtMs, stage } = call.state;
    const isConnecting = isPlaced && connectedAtMs !== undefined && stage !== 'talking';
    if (isConnecting && reason) this.#reported = { id: live.id, reason };
    // The BYE may never arrive on a broken SIP connection.
    setTimeout(() => {
      call.end(isConnecting ? 'notConnected' : 'them');
      call.leave();
    }, lateMs);
  }

  stop(): void {
    void this.release();
    this.#stopping.abort();
  }

  async release(): Promise<void> {
    const call = this.#call;
    this.#isGivenBack = this.#line !== undefined && !this.#line.isReplaced;
    const isReached = this.#line?.isConnected ?? false;
    if (call?.state.id && call.session && !isReached) hangUpOnUnload(call.state.id);
    call?.leave();
    await this.#line?.close();
  }

  resume(): void {
    if (this.#isGivenBack) this.#open();
  }

  #update(change: Partial<PhoneState>): void {
    if ('ended' in change) this.#ended = change.ended;
    this.#options.update(change);
  }

  get #settings() {
    return phoneSettings(this.#options.userUuid);
  }

  async #begin(): Promise<void> {
    const { extensionId, isRegisteredElsewhere } = this.#options;
    const { signal } = this.#stopping;
    if (isRegisteredElsewhere === null) return this.#open();
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const isFree = !(await isExtensionTaken(
          extensionId,
          failures === 0 ? isRegisteredElsewhere : undefined,
          signal,
        ));
        if (signal.aborted || this.#line) return;
        if (isFree) this.#open();
        else this.#update({ line: 'replaced' });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isLoggedOut(error)) return loggedOut();
        // If the registration state is unknown, does not take over the extension.
        if (!this.#line) this.#update({ line: 'lost' });
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        if (this.#line) return;
      }
    }
  }

  #open(): void {
    void this.#line?.close();
    this.#line = new Line(this.#options.extensionId, {
      onState: (line, problem) => this.#update({ line, error: problem && toPhoneError(problem) }),
      onCall: (call) => this.#receive(call),
    });
  }

  #start(initial: NewCall): Call {
    const call = new Call(initial, {
      onChange: (changed) => this.#update({ call: changed }),
      onEnd: (ended, reason) => this.#finish(ended, reason),
    });
    this.#call = call;
    call.setSpeaker(this.#settings.speakerId);
    this.#update({ call: call.state, ended: undefined, error: undefined });
    return call;
  }

  #finish(call: PhoneCall, reason: EndReason): void {
    const { number, id, answeredAtMs } = call;
    const seconds = answeredAtMs === undefined ? 0 : (Date.now() - answeredAtMs) / 1_000;
    this.#call = undefined;
    const reported = this.#reported;
    const isReported = reason === 'notConnected' && reported !== undefined && reported.id === id;
    const ended = { number, reason: isReported ? reported.reason : reason, seconds, id };
    this.#update({ call: undefined, ended });
    if (id === undefined && answeredAtMs !== undefined) void this.#identify(call, ended);
    if (reason === 'notAllowed') void this.#explain(ended);
  }

  /** An account that may place no calls and a number that may not be called have the same SIP status. */
  async #explain(ended: EndedCall): Promise<void> {
    const reason = await whyCallsAreRefused().catch(() => undefined);
    if (reason && this.#ended === ended) this.#update({ ended: { ...ended, reason } });
  }

  /** Finds the id of an answered call that ended before its first event arrived. */
  async #identify(call: PhoneCall, ended: EndedCall): Promise<void> {
    const id = await findLatestCall(this.#options.ramal, call).catch(() => undefined);
    if (id && this.#ended === ended) this.#update({ ended: { ...ended, id } });
  }

  #dial(number: string): void {
    const line = this.#line;
    if (this.#call || !line?.isConnected) return;
    const call = this.#start({
      number,
      direction: 'out',
      isPlaced: false,
      stage: 'dialing',
      id: undefined,
    });
    void this.#withMicrophone(call, (stream) => {
      const session = line.agent?.call(line.address(number), this.#talking(stream));
      if (session) call.follow(session);
    });
  }

  #receive({ originator, session, request }: NewSession): void {
    if (originator === 'local') return;
    if (this.#call) {
      session.terminate({ status_code: busyHere });
      return;
    }
    const number = session.remote_identity.uri.user;
    const id: string | undefined = request.getHeader('X-Disca-Call-Id');
    const isPlaced = id === undefined ? false : undefined;
    const call = this.#start({ number, direction: 'in', isPlaced, stage: 'incoming', id });
    call.follow(session);
    void describeCall(call, this.#options.ramal);
    // Sent for calls that this user placed, and for extensions with auto-answer.
    if (/answer-after=0/.test(request.getHeader('Call-Info') ?? '')) this.#answer();
  }

  #answer(): void {
    const call = this.#call;
    if (call?.state.stage !== 'incoming') return;
    call.change({ stage: 'answering' });
    void this.#withMicrophone(call, (stream) => call.session?.answer(this.#talking(stream)));
  }

  #hangUp(): void {
    const call = this.#call;
    if (!call) return;
    const { state, session } = call;
    const isReached = this.#line?.isConnected ?? false;
    call.leave();
    call.end('you');
    if (!session) return;
    // Ends the call through the API when the SIP connection is down.
    if (!isReached) {
      void this.#endElsewhere(state);
      return;
    }
    const timer = setTimeout(() => {
      // Without an id, a newer call to the same number could be ended by mistake.
      if (state.id || this.#call?.state.number !== state.number) void this.#endElsewhere(state);
    }, confirmationMs);
    if (state.id) this.#ending.set(state.id, timer);
  }

  async #endElsewhere(call: PhoneCall): Promise<void> {
    try {
      const id = call.id ?? (await findActiveCall(this.#options.ramal, call));
      if (id) await hangUpByApi(id);
    } catch (error) {
      if (isProblem(error) && error.status !== 404) this.#update({ error: toPhoneError(error) });
    }
  }

  #changeDevices(): void {
    const call = this.#call;
    call?.setSpeaker(this.#settings.speakerId);
    if (call && call.state.stage !== 'incoming') void this.#withMicrophone(call, () => undefined);
  }

  /** Opens the microphone and continues, or ends the call and reports the error. */
  async #withMicrophone(call: Call, goOn: (stream: MediaStream) => void): Promise<void> {
    try {
      const stream = await openMicrophone(this.#settings.microphoneId);
      await call.setMicrophone(stream);
      if (this.#call === call) goOn(stream);
    } catch (error) {
      if (!(error instanceof NoMicrophone)) throw error;
      call.leave();
      call.end('you');
      this.#update({ ended: undefined, error: { kind: 'microphone', why: error.why } });
    }
  }

  #talking(mediaStream: MediaStream) {
    const iceServers = this.#line?.iceServers ?? [];
    return { mediaStream, mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers } };
  }

  #isSame({ direction, number }: PhoneCall, { caller, called }: CallSnapshot): boolean {
    return direction === 'out' && caller === this.#options.ramal && called === number;
  }
}

const toPhoneError = (problem: Problem): PhoneError => ({
  kind: 'problem',
  status: problem.status,
  code: problem.code,
  message: problem.message,
  requestId: problem.requestId,
});
