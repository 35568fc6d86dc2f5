import { UA, Utils } from 'jssip';
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent, UnRegisteredEvent } from 'jssip/lib/UA.js';
import { loggedOut } from '../../../api/logged-out.ts';
import { isLoggedOut, isProblem, Problem } from '../../../api/problem.ts';
import type { LineState } from '../state.ts';
import { createEdgeSocket, type EdgeSocket } from './edge-socket.ts';
import { endPhoneSession, openPhoneSession, type PhoneSession } from './phone-session.ts';

export type NewSession = IncomingRTCSessionEvent | OutgoingRTCSessionEvent;

export interface LineListener {
  onState(state: LineState, problem?: Problem): void;
  onCall(call: NewSession): void;
}

/** Registration refresh interval. Short, because only the response reveals a takeover or a dead connection. */
const refreshMs = 20_000;
const responseTimeoutMs = 8_000;
const firstWaitMs = 1_000;
const maxWaitMs = 30_000;
const renewalMs = 60_000;
const forbidden = 403;
const notFound = 404;
const maxRenewals = 3;

/** SIP registration of an extension. Survives lost connections and expiring credentials until closed. */
export class Line {
  readonly #extensionId: number;
  readonly #listener: LineListener;
  readonly #closing = new AbortController();
  #session: PhoneSession | undefined;
  #agent: UA | undefined;
  #sockets: EdgeSocket[] = [];
  #isReplaced = false;
  #failures = 0;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(extensionId: number, listener: LineListener) {
    this.#extensionId = extensionId;
    this.#listener = listener;
    const { signal } = this.#closing;
    const timer = setInterval(() => this.#refresh(), refreshMs);
    signal.addEventListener('abort', () => clearInterval(timer));
    window.addEventListener('offline', () => this.#drop(), { signal });
    document.addEventListener('visibilitychange', () => !document.hidden && this.#refresh(), { signal });
    this.#say('starting');
    void this.#obtain((session) => this.#start(session));
  }

  get agent(): UA | undefined {
    return this.#agent;
  }

  get iceServers(): RTCIceServer[] {
    return this.#session?.ice_servers ?? [];
  }

  get isConnected(): boolean {
    return this.#agent?.isConnected() ?? false;
  }

  /** Whether another phone has taken over the extension. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  address(number: string): string {
    return `sip:${number}@${this.#session?.domain}`;
  }

  /** Unregisters and ends the session. */
  async close(): Promise<void> {
    clearTimeout(this.#renewal);
    this.#closing.abort();
    this.#agent?.stop();
    const session = this.#session;
    this.#session = undefined;
    if (session) await endPhoneSession(this.#extensionId, session);
  }

  #say(state: LineState, problem?: Problem): void {
    if (!this.#closing.signal.aborted) this.#listener.onState(state, problem);
  }

  #again(what: () => void): void {
    const waitMs = Math.min(firstWaitMs * 2 ** this.#failures, maxWaitMs) * (0.75 + Math.random() / 2);
    this.#failures += 1;
    setTimeout(() => !this.#closing.signal.aborted && what(), waitMs);
  }

  /** Opens a session; retries until it succeeds or is rejected. */
  async #obtain(use: (opened: PhoneSession) => void): Promise<void> {
    const { signal } = this.#closing;
    try {
      const opened = await openPhoneSession(this.#extensionId, signal);
      this.#session = opened;
      const leftMs = Date.parse(opened.expires_at) - Date.now();
      clearTimeout(this.#renewal);
      this.#renewal = setTimeout(
        () => this.#renew(),
        Math.max(leftMs - Math.min(renewalMs, leftMs / 2), responseTimeoutMs),
      );
      use(opened);
    } catch (error) {
      if (signal.aborted) return;
      if (isLoggedOut(error)) return loggedOut();
      if (isProblem(error) && (error.status === forbidden || error.status === notFound))
        this.#say('refused', error);
      else {
        this.#say('lost');
        this.#again(() => void this.#obtain(use));
      }
    }
  }

  #renew(): void {
    if (this.#isReplaced) return;
    void this.#obtain(({ username, password, domain }) => {
      if (this.#isReplaced) return clearTimeout(this.#renewal);
      const agent = this.#agent;
      agent?.set('authorization_user', username);
      agent?.set('realm', domain);
      agent?.set('ha1', Utils.calculateMD5(`${username}:${domain}:${password}`));
      agent?.register();
    });
  }

  #start(session: PhoneSession): void {
    if (session.websocket_urls.length === 0) {
      const message = 'No WebSocket edge is configured.';
      this.#say('refused', new Problem({ status: 0, code: 'PHONE_NOT_OFFERED', message }));
      return;
    }
    this.#sockets = session.websocket_urls.map(createEdgeSocket);
    const agent = new UA({
      sockets: this.#sockets.map((socket, index) => ({ socket, weight: this.#sockets.length - index })),
      uri: session.uri,
      realm: session.domain,
      authorization_user: session.username,
      password: session.password,
      register_expires: session.registration_seconds,
      session_timers: false,
      connection_recovery_min_interval: firstWaitMs / 1_000,
      connection_recovery_max_interval: maxWaitMs / 1_000,
      user_agent: 'Disca console',
    });
    agent.on('registered', () => {
      this.#failures = 0;
      this.#isReplaced = false;
      this.#say('ready');
    });
    agent.on('disconnected', () => !this.#isReplaced && this.#say('lost'));
    agent.on('registrationFailed', (failed: UnRegisteredEvent) => this.#onRefused(failed));
    agent.on('newRTCSession', (call: NewSession) => this.#listener.onCall(call));
    this.#agent = agent;
    agent.start();
  }

  #onRefused({ response }: UnRegisteredEvent): void {
    if (this.#closing.signal.aborted) return;
    const isForbidden = response?.status_code === forbidden;
    if (isForbidden && /replaced/i.test(response.reason_phrase)) {
      this.#isReplaced = true;
      this.#say('replaced');
      // The edge rejects a replaced phone for a limited time only, so this one must not register again. An active call continues.
      clearTimeout(this.#renewal);
      queueMicrotask(() => this.#agent?.unregister());
      return;
    }
    this.#say('lost');
    // The session may have been revoked early, for example by a password change.
    if (isForbidden && this.#failures < maxRenewals) this.#again(() => this.#renew());
    else this.#again(() => this.isConnected && !this.#isReplaced && this.#agent?.register());
  }

  #refresh(): void {
    if (!this.isConnected || this.#isReplaced) return;
    const askedAtMs = Date.now();
    this.#agent?.register();
    setTimeout(() => {
      if (!this.#sockets.some((socket) => socket.heardAtMs() >= askedAtMs)) this.#drop();
    }, responseTimeoutMs);
  }

  #drop(): void {
    if (!this.#closing.signal.aborted) for (const socket of this.#sockets) socket.drop();
  }
}
