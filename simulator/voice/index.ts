import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/dev/ports.ts';
import { type EngineStopMode, startAsterisk } from '../../tools/dev/services/asterisk.ts';
import { certificateAuthority } from '../../tools/dev/voice/certificates.ts';
import { type CarrierRules, type CarrierWay, prepareCertificate, putRules, putWay } from './carrier.ts';
import { type DialContext, type DialledCall, dial, type Party, press } from './dial.ts';
import { connectInterface, interfaceUser } from './interface.ts';
import { openNotes, type SimulatedCall } from './notes.ts';
import {
  type Behaviour,
  dropPhone,
  type PhoneOptions,
  putBehaviour,
  putDialler,
  putPhone,
} from './phones.ts';
import { defaultTones } from './tones.ts';

export type { DialledCall } from './dial.ts';
export type { SimulatedCall } from './notes.ts';
export type { Behaviour, PhoneOptions } from './phones.ts';

export interface VoiceSimulatorOptions {
  name: string;
  dir: string;
  address: string;
  /** SIP port, for the carrier and the phones. */
  port: number;
  rtpTimeoutSeconds?: number;
  /** Credentials for attaching to a simulator that outlives its starter. */
  control?: { password: string; ariPort: number; amiPort: number };
  outlives?: boolean;
  /** Network namespace of the simulator; the caller must forward both control ports to it. */
  networkNamespace?: string;
}

export interface SimulatedPhone {
  /** User part of the phone's contact, which identifies its calls. */
  readonly name: string;
  behave(
    behaviour: Behaviour,
    answerAfterSeconds?: number,
    hangUpAfterSeconds?: number,
    tones?: string,
  ): Promise<void>;
  calls(): SimulatedCall[];
  /** Calls a number or an extension; after the answer the phone plays 440 Hz, unless `party` says otherwise. */
  dial(called: string, party?: Party): Promise<DialledCall>;
  remove(): Promise<void>;
}

export interface CarrierCall {
  to: string;
  from: string;
  /** Display name of the caller. */
  name?: string;
  node: string;
  /** How the carrier sends the call. */
  way?: CarrierWay;
}

export interface VoiceSimulator {
  readonly pid: number;
  /** `host:port` of the carrier, for a trunk. */
  readonly carrier: string;
  /** `host:port` of the carrier over TLS. */
  readonly carrierTls: string;
  /** Sets what the carrier demands of calls from this address. */
  demand(from: string, rules: CarrierRules): Promise<void>;
  addPhone(options: PhoneOptions): Promise<SimulatedPhone>;
  phoneCalls(): SimulatedCall[];
  carrierCalls(): SimulatedCall[];
  /**
   * Recording of the audio that the carrier or the phone received in this call; for numbers ending in 93, 95 or
   * 96 and phones with a tone.
   */
  heard(callId: string, side: SimulatedCall['side']): string;
  /** Places an external call to a media node at `host:port`; plays 1000 Hz by default. */
  callFromCarrier(call: CarrierCall, party?: Party): Promise<DialledCall>;
  /** Drops an ended call and what its party heard, in tests that place thousands of calls. */
  forget(id: string): void;
  hangUpPhone(callId: string): Promise<void>;
  hangUpCarrier(callId: string): Promise<void>;
  pressDigits(callId: string, digits: string, side?: 'phone' | 'carrier'): Promise<void>;
  stop(mode?: EngineStopMode): Promise<void>;
  restart(mode?: EngineStopMode): Promise<void>;
}

const templates = join(import.meta.dirname, 'asterisk');
const notesFile = 'calls.jsonl';

export async function startVoiceSimulator(options: VoiceSimulatorOptions): Promise<VoiceSimulator> {
  const control = options.control ?? {
    password: randomBytes(12).toString('base64url'),
    ariPort: await freePort(),
    amiPort: await freePort(),
  };
  mkdirSync(join(options.dir, 'heard'), { recursive: true });
  appendFileSync(join(options.dir, notesFile), '');
  mkdirSync(join(options.dir, 'etc'), { recursive: true });
  cpSync(await certificateAuthority(), join(options.dir, 'etc/ca.crt'));
  await prepareCertificate(join(options.dir, 'etc'), options.address);
  const engine = await startAsterisk({
    name: options.name,
    dir: options.dir,
    templates,
    values: {
      ENTITY_ID: '02:00:00:00:00:99',
      SIP_ADDRESS: options.address,
      SIP_PORT: options.port,
      TLS_PORT: options.port + 1,
      RTP_TIMEOUT: options.rtpTimeoutSeconds ?? 60,
      RTP_FROM: 10_000,
      RTP_TO: 19_999,
      AMI_PORT: control.amiPort,
    },
    ari: { user: interfaceUser, password: control.password, port: control.ariPort },
    outlives: options.outlives ?? false,
    networkNamespace: options.networkNamespace,
  });
  const attached = attachVoiceSimulator({ ...options, control });
  return {
    ...attached,
    get pid() {
      return engine.pid;
    },
    stop: engine.stop,
    restart: engine.restart,
  };
}

/** Attaches to a running simulator. */
export function attachVoiceSimulator(
  options: Pick<VoiceSimulatorOptions, 'dir' | 'address' | 'port'> &
    Required<Pick<VoiceSimulatorOptions, 'control'>>,
): Omit<VoiceSimulator, 'pid' | 'stop' | 'restart'> {
  const { password, ariPort, amiPort } = options.control;
  const engine = connectInterface({ ariUrl: `http://127.0.0.1:${ariPort}/ari`, amiPort, password });
  const { calls, forget } = openNotes(join(options.dir, notesFile));
  const on = (side: SimulatedCall['side']): SimulatedCall[] => calls().filter((call) => call.side === side);
  const find = (side: SimulatedCall['side'], callId: string): SimulatedCall => {
    const matching = on(side).findLast((call) => call.callId === callId);
    if (!matching) throw new Error(`The simulator's ${side} has no call ${callId}.`);
    return matching;
  };
  const hangUp = (side: SimulatedCall['side'], callId: string): Promise<void> =>
    engine.ask('DELETE', `/channels/${find(side, callId).id}`);
  const context = { engine, calls, heardDir: join(options.dir, 'heard') };

  return {
    carrier: `${options.address}:${options.port}`,
    addPhone: (phone) => addPhone(context, phone),
    carrierTls: `${options.address}:${options.port + 1}`,
    demand: (from, rules) => putRules(engine, options.address, from, rules),
    async callFromCarrier({ to, from, name = '', node, way }, party = { tones: defaultTones.carrier }) {
      const { name: endpoint, parameters } = way
        ? await putWay(engine, options.address, way)
        : { name: 'anybody', parameters: '' };
      const uri = `sip:${to}@${node}${parameters}`;
      return await dial(context, { to: `${endpoint}/${uri}`, shown: from, shownName: name, party });
    },
    phoneCalls: () => on('phone'),
    carrierCalls: () => on('carrier'),
    heard: (callId, side) => join(options.dir, 'heard', `${find(side, callId).id}.wav`),
    forget(id) {
      forget(id);
      rmSync(join(options.dir, 'heard', `${id}.wav`), { force: true });
    },
    hangUpPhone: (callId) => hangUp('phone', callId),
    hangUpCarrier: (callId) => hangUp('carrier', callId),
    pressDigits: (callId, digits, side = 'phone') => press(engine, find(side, callId).id, digits),
  };
}

async function addPhone(context: DialContext, options: PhoneOptions): Promise<SimulatedPhone> {
  const { engine, calls } = context;
  const name = `phone-${randomBytes(5).toString('hex')}`;
  await putPhone(engine, name, options);
  let dialler: Promise<void> | undefined;
  return {
    name,
    behave: (behaviour, answerAfterSeconds = 0, hangUpAfterSeconds = 0, tones = defaultTones.phone) =>
      putBehaviour(engine, name, [behaviour, answerAfterSeconds, hangUpAfterSeconds, tones]),
    calls: () => calls().filter((call) => call.side === 'phone' && call.number === name),
    async dial(called, party = { tones: defaultTones.phone }) {
      dialler ??= putDialler(engine, name, options);
      await dialler;
      const to = `${name}/sip:${called}@${options.domain}`;
      return await dial(context, { to, shown: options.ramal, party });
    },
    remove: () => dropPhone(engine, name),
  };
}
