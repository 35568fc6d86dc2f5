import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../../tools/dev/voice/certificates.ts';
import type { SimulatorInterface } from './interface.ts';
import { auth, endpoint, putObject } from './phones.ts';

interface CarrierLogin {
  user: string;
  password: string;
}

/** What the carrier demands of calls from an address. */
export interface CarrierRules {
  login: CarrierLogin;
  /** Whether it refuses unencrypted audio. */
  srtp: boolean;
}

/** How the carrier sends its own calls; default: over UDP, with unencrypted audio and without credentials. */
export interface CarrierWay {
  transport?: 'udp' | 'tls';
  srtp?: boolean;
  login?: CarrierLogin;
}

const identify = '/asterisk/config/dynamic/res_pjsip/identify';
const transports = { udp: 'loopback', tls: 'secure' };

const media = (address: string, srtp: boolean) => ({
  context: 'called',
  disallow: 'all',
  allow: 'alaw,ulaw',
  direct_media: 'no',
  rtp_symmetric: 'yes',
  media_address: address,
  bind_rtp_to_media_address: 'yes',
  media_encryption: srtp ? 'sdes' : 'no',
});

/** Writes the certificate with which the carrier accepts TLS; valid for its address. */
export async function prepareCertificate(folder: string, address: string): Promise<void> {
  await issueCertificate(folder, [address], 'carrier');
  const files = ['cert_file = /srv/disca/etc/carrier.crt', 'priv_key_file = /srv/disca/etc/carrier.key'];
  writeFileSync(join(folder, 'certificate.conf'), ['[secure](+)', ...files, ''].join('\n'));
}

export async function putRules(
  engine: SimulatorInterface,
  address: string,
  from: string,
  { login, srtp }: CarrierRules,
): Promise<void> {
  // The engine takes the first match in the order of names.
  const name = `0-rules-${from}`;
  await putLogin(engine, name, login);
  await putObject(engine, `${endpoint}/${name}`, { ...media(address, srtp), auth: name });
  await putObject(engine, `${identify}/${name}`, { endpoint: name, match: from });
}

/** Adds an endpoint for calls of the carrier, and returns its name and the parameters of the called URI. */
export async function putWay(
  engine: SimulatorInterface,
  address: string,
  { transport = 'udp', srtp = false, login }: CarrierWay,
): Promise<{ name: string; parameters: string }> {
  const name = `way-${randomBytes(5).toString('hex')}`;
  if (login) await putLogin(engine, name, login);
  await putObject(engine, `${endpoint}/${name}`, {
    ...media(address, srtp),
    transport: transports[transport],
    ...(login ? { outbound_auth: name } : {}),
  });
  return { name, parameters: transport === 'udp' ? '' : `;transport=${transport}` };
}

const putLogin = (
  engine: SimulatorInterface,
  name: string,
  { user, password }: CarrierLogin,
): Promise<void> => putObject(engine, `${auth}/${name}`, { auth_type: 'userpass', username: user, password });
