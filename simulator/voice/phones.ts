import type { SimulatorInterface } from './interface.ts';
import { defaultTones } from './tones.ts';

export type Behaviour = 'answer' | 'keys' | 'silent' | 'tone' | 'ring' | 'busy' | 'reject';

export interface PhoneOptions {
  ramal: string;
  domain: string;
  password: string;
  /** Address of the registrar, such as `127.0.0.1:5060`; TLS uses another port. */
  edge: string;
  transport?: 'udp' | 'tcp' | 'tls';
  /** Whether the phone uses SRTP; default: over TLS only. */
  srtp?: boolean;
  /** answer talks, silent only answers, tone plays 440 Hz, keys records DTMF, ring never answers. */
  behaviour?: Behaviour;
  answerAfterSeconds?: number;
  hangUpAfterSeconds?: number;
  /** How the phone sends DTMF in calls that it dials. */
  keysBy?: 'rfc4733' | 'info';
  /** Requested registration lifetime. */
  expiresSeconds?: number;
}

type Fields = Record<string, string | number>;

export const auth = '/asterisk/config/dynamic/res_pjsip/auth';
export const endpoint = '/asterisk/config/dynamic/res_pjsip/endpoint';
const registration = '/asterisk/config/dynamic/res_pjsip/registration';
const defaultExpiresSeconds = 120;

/** Adds a phone to the engine, which registers it after at least one second and keeps it registered. */
export async function putPhone(engine: SimulatorInterface, name: string, phone: PhoneOptions): Promise<void> {
  const { behaviour = 'answer', answerAfterSeconds = 0, hangUpAfterSeconds = 0 } = phone;
  await putBehaviour(engine, name, [behaviour, answerAfterSeconds, hangUpAfterSeconds, defaultTones.phone]);
  await putObject(engine, `${auth}/${name}`, {
    auth_type: 'userpass',
    username: phone.ramal,
    password: phone.password,
  });
  await putObject(engine, `${registration}/${name}`, {
    client_uri: `sip:${phone.ramal}@${phone.domain}`,
    server_uri: `sip:${phone.domain}`,
    ...wayOut(phone),
    outbound_auth: name,
    contact_user: name,
    // Calls that arrive through a registration with a line are handled by its endpoint.
    ...(endpointOf(phone) === 'anybody' ? {} : { line: 'yes', endpoint: endpointOf(phone) }),
    expiration: phone.expiresSeconds ?? defaultExpiresSeconds,
    max_random_initial_delay: 0,
    retry_interval: 1,
    forbidden_retry_interval: 0,
    max_retries: 10_000,
    // A second 401 means that the nonce is not valid any more, as after a restart of the edge. A wrong password gets 403.
    auth_rejection_permanent: 'no',
  });
}

const transports = { udp: 'loopback', tcp: 'stream', tls: 'secure' };

const wayOut = ({ transport = 'udp', edge }: PhoneOptions): Fields => ({
  transport: transports[transport],
  outbound_proxy: `sip:${edge};transport=${transport};lr`,
});

function endpointOf({ transport = 'udp', srtp = true }: PhoneOptions): string {
  if (transport === 'udp') return 'anybody';
  if (transport === 'tcp') return 'stream-plain';
  return `secure-${srtp ? 'srtp' : 'plain'}`;
}

/** Enables the phone to dial, with its registration password. */
export async function putDialler(
  engine: SimulatorInterface,
  name: string,
  phone: PhoneOptions,
): Promise<void> {
  await putObject(engine, `${endpoint}/${name}`, {
    ...wayOut(phone),
    media_encryption: endpointOf(phone) === 'secure-srtp' ? 'sdes' : 'no',
    context: 'called',
    disallow: 'all',
    allow: 'alaw,ulaw',
    direct_media: 'no',
    rtp_symmetric: 'yes',
    outbound_auth: name,
    from_user: phone.ramal,
    from_domain: phone.domain,
    contact_user: name,
    dtmf_mode: phone.keysBy ?? 'rfc4733',
  });
}

/** Keeps the phone's password, because the edge may challenge the later unregistration. */
export async function dropPhone(engine: SimulatorInterface, name: string): Promise<void> {
  await engine.ask('DELETE', `${registration}/${name}`);
}

export async function putBehaviour(
  engine: SimulatorInterface,
  name: string,
  plan: [behaviour: Behaviour, answerAfterSeconds: number, hangUpAfterSeconds: number, tones: string],
): Promise<void> {
  const variable = encodeURIComponent(`DB(behaviour/${name})`);
  await engine.ask(
    'POST',
    `/asterisk/variable?variable=${variable}&value=${encodeURIComponent(plan.join('|'))}`,
  );
}

export async function putObject(engine: SimulatorInterface, path: string, values: Fields): Promise<void> {
  const fields = Object.entries(values).map(([attribute, value]) => ({ attribute, value: String(value) }));
  await engine.ask('PUT', path, { fields });
}
