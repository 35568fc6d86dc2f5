// A phone in a page, as the console's is one. The tests drive it by `window.phone`.
import JsSIP from 'jssip';

const events = [];
let agent;
let session;
let iceServers = [];
let relayOnly = false;
const listening = new AudioContext();
const ear = listening.createAnalyser();
ear.fftSize = 8192;

const note = (what, detail) => events.push({ what, detail: detail === undefined ? '' : String(detail) });

const talking = () => ({
  // Made for voices: they would take a steady tone for noise.
  mediaConstraints: {
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    video: false,
  },
  pcConfig: { iceServers, iceTransportPolicy: relayOnly ? 'relay' : 'all' },
});

function hear(track) {
  const stream = new MediaStream([track]);
  // Nothing is decoded unless somebody plays it.
  const speaker = new Audio();
  speaker.srcObject = stream;
  speaker.play().catch((error) => note('silent', error));
  listening.createMediaStreamSource(stream).connect(ear);
}

function follow(newest, originator) {
  session = newest;
  note('call', originator);
  for (const what of ['progress', 'accepted', 'confirmed']) session.on(what, () => note(what));
  for (const what of ['ended', 'failed']) session.on(what, ({ cause }) => note(what, cause));
  // Waiting for every candidate takes as long as the slowest server.
  let timer;
  session.on('icecandidate', ({ ready }) => {
    clearTimeout(timer);
    timer = setTimeout(ready, 200);
  });
  const attend = (connection) => {
    connection.addEventListener('track', ({ track }) => hear(track));
    connection.addEventListener('iceconnectionstatechange', () => note('ice', connection.iceConnectionState));
  };
  if (session.connection) attend(session.connection);
  else session.on('peerconnection', ({ peerconnection }) => attend(peerconnection));
  if (originator === 'remote') session.answer(talking());
}

function logIn({ url, uri, user, password, expiresSeconds, ...media }) {
  iceServers = media.iceServers ?? [];
  relayOnly = media.relayOnly ?? false;
  agent = new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(url)],
    uri,
    authorization_user: user,
    password,
    register_expires: expiresSeconds,
    session_timers: false,
    connection_recovery_min_interval: 1,
    connection_recovery_max_interval: 2,
  });
  for (const what of ['connected', 'disconnected', 'registered', 'unregistered'])
    agent.on(what, () => note(what));
  agent.on('registrationFailed', ({ cause }) => note('registrationFailed', cause));
  agent.on('newRTCSession', ({ session: newest, originator }) => follow(newest, originator));
  agent.start();
}

/** What it hears now: a sixth of a second. */
function hearing() {
  const samples = new Float32Array(ear.fftSize);
  ear.getFloatTimeDomainData(samples);
  return { rate: listening.sampleRate, samples: [...samples] };
}

/** By which way its audio goes, and how much has gone. */
async function traffic() {
  const report = new Map(await session.connection.getStats());
  const all = (type) => [...report.values()].filter((part) => part.type === type);
  const [pair] = all('candidate-pair').filter(({ nominated, state }) => nominated && state === 'succeeded');
  const [received] = all('inbound-rtp');
  const [sent] = all('outbound-rtp');
  return {
    local: report.get(pair?.localCandidateId)?.candidateType,
    relayProtocol: report.get(pair?.localCandidateId)?.relayProtocol,
    remote: report.get(pair?.remoteCandidateId)?.address,
    codec: report.get(received?.codecId)?.mimeType,
    packetsReceived: received?.packetsReceived ?? 0,
    energyReceived: received?.totalAudioEnergy ?? 0,
    packetsSent: sent?.packetsSent ?? 0,
    cipher: all('transport')[0]?.srtpCipher,
  };
}

window.phone = {
  events: () => events,
  logIn,
  logOff: () => agent.stop(),
  dial: (uri) => agent.call(uri, talking()) && undefined,
  press: (digits) => session.sendDTMF(digits, { transportType: 'RFC2833', interToneGap: 100 }),
  hangUp: () => session.terminate(),
  hearing,
  traffic,
};
