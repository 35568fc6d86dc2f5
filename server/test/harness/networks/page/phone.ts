// A phone in a page, like the console's. The tests drive it through `window.phone`.
import { C, UA, WebSocketInterface } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA.js';
import { limitIceGathering } from '../../../../../console/src/features/phone/engine/ice-gathering.ts';
import { delayUdpCandidates } from './late-candidates.ts';
import type { Hearing, PhoneEvent, PhoneLogin, Recording, Tones, Traffic } from './messages.ts';
import { openVoice, type Voice } from './voice.ts';

const recoverySeconds = 1;
const keyGapMs = 100;

let events: PhoneEvent[] = [];
let login: PhoneLogin | undefined;
let agent: UA | undefined;
let session: RTCSession | undefined;
let voice: Voice | undefined;
let tones: Tones | undefined;
/** What `hearing` returns is sampled here. Pages with a voice record instead. */
let ear: AnalyserNode | undefined;

const note = (what: string, detail = ''): void => void events.push({ what, detail, atMs: Date.now() });

function logIn(given: PhoneLogin): void {
  login = given;
  const { url, uri, user, password, expiresSeconds } = given;
  agent = new UA({
    sockets: [new WebSocketInterface(url)],
    uri,
    authorization_user: user,
    password,
    register_expires: expiresSeconds,
    session_timers: false,
    connection_recovery_min_interval: recoverySeconds,
    connection_recovery_max_interval: recoverySeconds * 2,
  });
  agent.on('connected', () => note('connected'));
  agent.on('disconnected', () => note('disconnected'));
  agent.on('registered', () => note('registered'));
  agent.on('registrationFailed', ({ cause }) => note('registrationFailed', String(cause)));
  agent.on('newRTCSession', follow);
  agent.start();
}

function follow(event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent): void {
  session = event.session;
  note('call', event.request.getHeader('X-Disca-Call-Id') ?? '');
  session.on('accepted', () => {
    note('accepted');
    voice?.startRecording();
    if (tones) voice?.speak(tones.firstWord, tones.hertz);
  });
  session.on('confirmed', () => note('confirmed'));
  session.on('hold', () => note('held'));
  session.on('ended', ({ cause }) => {
    note('ended', cause);
    voice?.rest();
  });
  session.on('failed', ({ cause }) => {
    note('failed', cause);
    voice?.rest();
  });
  session.on('icecandidate', limitIceGathering());
  const attend = (connection: RTCPeerConnection): void =>
    connection.addEventListener('track', ({ track }) => hear(track));
  // An outbound call already has its connection.
  if (event.originator === 'remote') {
    session.on('peerconnection', ({ peerconnection }) => attend(peerconnection));
    session.answer(talking());
  } else attend(session.connection);
}

function talking() {
  return {
    ...(voice ? { mediaStream: voice.stream } : {}),
    // Voice processing is off, because it would treat a steady tone as noise.
    mediaConstraints: {
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
      video: false,
    },
    pcConfig: {
      iceServers: login?.iceServers ?? [],
      iceTransportPolicy: login?.relayOnly ? ('relay' as const) : ('all' as const),
    },
  };
}

function hear(track: MediaStreamTrack): void {
  const stream = new MediaStream([track]);
  // Browsers decode audio only when it is played.
  const speaker = new Audio();
  speaker.srcObject = stream;
  speaker.play().catch((error: unknown) => note('silent', String(error)));
  if (voice) {
    voice.listen(track);
    return;
  }
  ear ??= new AnalyserNode(new AudioContext(), { fftSize: 8192 });
  new MediaStreamAudioSourceNode(ear.context as AudioContext, { mediaStream: stream }).connect(ear);
}

/** Returns the last sixth of a second of the received audio. */
function hearing(): Hearing {
  if (!ear) return { rate: 1, samples: [] };
  const samples = new Float32Array(ear.fftSize);
  ear.getFloatTimeDomainData(samples);
  return { rate: ear.context.sampleRate, samples: [...samples] };
}

async function traffic(): Promise<Traffic> {
  const report = new Map((await current().connection.getStats()).entries()) as Map<string, Part>;
  const all = (type: string): Part[] => [...report.values()].filter((part) => part.type === type);
  const [pair] = all('candidate-pair').filter(({ nominated, state }) => nominated && state === 'succeeded');
  const local = report.get(pair?.localCandidateId ?? '');
  const [received] = all('inbound-rtp');
  return {
    local: local?.candidateType,
    relayProtocol: local?.relayProtocol,
    remote: report.get(pair?.remoteCandidateId ?? '')?.address,
    cipher: all('transport')[0]?.srtpCipher,
    energyReceived: received?.totalAudioEnergy ?? 0,
  };
}

/** The fields read from the entries of a statistics report. */
interface Part {
  type: string;
  nominated?: boolean;
  state?: string;
  localCandidateId?: string;
  remoteCandidateId?: string;
  candidateType?: string;
  relayProtocol?: string;
  address?: string;
  srtpCipher?: string;
  totalAudioEnergy?: number;
}

async function stopSending(): Promise<void> {
  for (const sender of current().connection.getSenders()) await sender.replaceTrack(null);
}

function current(): RTCSession {
  if (!session) throw new Error('There is no call.');
  return session;
}

/** Prepares the page for its next call, in which it plays these tones and records what it hears. */
async function prepare(next: Tones): Promise<void> {
  voice ??= await openVoice();
  await voice.hush();
  tones = next;
  events = [];
}

const recording = (): Recording | undefined => voice?.recording();

const phone = {
  delayUdpCandidates,
  events: () => events,
  prepare,
  recording,
  logIn,
  logOff: () => agent?.stop(),
  dial: (uri: string) => void agent?.call(uri, talking()),
  press(keys: string) {
    const transportType = C.DTMF_TRANSPORT.RFC2833;
    current().sendDTMF(keys, { transportType, interToneGap: keyGapMs });
  },
  hangUp: () => {
    // The service may have ended the call.
    if (!current().isEnded()) current().terminate();
  },
  mute: () => current().mute({ audio: true }),
  hold: () => {
    if (!current().hold()) throw new Error('The call cannot be put on hold.');
  },
  resume: () => {
    if (!current().unhold()) throw new Error('The call cannot be resumed.');
  },
  /** Sends no more packets, like a desk phone on hold or a microphone that was unplugged. */
  stopSending,
  hearing,
  traffic,
};
Object.assign(window, { phone });
