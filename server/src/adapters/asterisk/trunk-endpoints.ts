import { z } from 'zod';
import type { TrunkEndpoint } from '../../contexts/telephony/index.ts';
import type { Answer, NodeSocket } from './node-socket.ts';

const dynamic = 'asterisk/config/dynamic/res_pjsip';
const missing = 404;

const fieldList = z.array(z.object({ attribute: z.string(), value: z.string() }));
type Fields = Record<string, string>;

/** Fields of the node's own endpoint for carriers that trunks share; the node's files set them. */
const sharedFields = ['transport', 'media_address', 'from_domain', 'rtp_timeout', 'rtp_timeout_hold'];

const fixedFields: Fields = {
  context: 'from-carrier',
  disallow: 'all',
  allow: 'alaw,ulaw',
  direct_media: 'no',
  bind_rtp_to_media_address: 'yes',
  allow_transfer: 'no',
  allow_subscribe: 'no',
};

/** Writes endpoints of trunks to the engine's memory (`deploy/asterisk/sorcery.conf`). */
export interface TrunkEndpoints {
  add(endpoint: TrunkEndpoint): Promise<void>;
  remove(name: string): Promise<void>;
  identify(address: string, endpoint: string | null): Promise<void>;
  /** Returns `address:port` where carriers connect over TLS; undefined if the node has no such listener. */
  tlsListener(): Promise<string | undefined>;
}

export function createTrunkEndpoints(link: Pick<NodeSocket, 'request'>): TrunkEndpoints {
  const read = async (type: string, name: string): Promise<Fields | undefined> => {
    const answer = await link.request('GET', `${dynamic}/${type}/${name}`);
    if (answer.status === missing) return undefined;
    refuse(answer, type);
    return Object.fromEntries(fieldList.parse(answer.body).map(({ attribute, value }) => [attribute, value]));
  };
  const put = async (type: string, name: string, values: Fields): Promise<void> => {
    const fields = Object.entries(values).map(([attribute, value]) => ({ attribute, value }));
    refuse(await link.request('PUT', `${dynamic}/${type}/${name}`, { fields }), type);
  };
  const drop = async (type: string, name: string): Promise<void> => {
    const answer = await link.request('DELETE', `${dynamic}/${type}/${name}`);
    if (answer.status !== missing) refuse(answer, type);
  };
  const putLogin = async (name: string, login: TrunkEndpoint['inbound']): Promise<Fields> => {
    if (!login) return {};
    await put('auth', name, { auth_type: 'userpass', username: login.user, password: login.password });
    return { [name.endsWith('-in') ? 'auth' : 'outbound_auth']: name };
  };

  return {
    async add({ name, transport, srtp, outbound, inbound }) {
      const own = await read('endpoint', 'carrier');
      const listener = transport === 'udp' ? own?.transport : `carrier-${transport}`;
      if (!own || !listener || !(await read('transport', listener)))
        throw new Error(`The media node has no ${transport.toUpperCase()} listener for carriers.`);
      await put('endpoint', name, {
        ...fixedFields,
        ...Object.fromEntries(sharedFields.map((field) => [field, own[field] ?? ''])),
        transport: listener,
        media_encryption: srtp ? 'sdes' : 'no',
        ...(await putLogin(`${name}-in`, inbound)),
        ...(await putLogin(`${name}-out`, outbound)),
      });
    },
    async remove(name) {
      await drop('endpoint', name);
      await drop('auth', `${name}-in`);
      await drop('auth', `${name}-out`);
    },
    async identify(address, endpoint) {
      // The engine takes the first match in the order of names; those in its files begin with letters.
      const name = `0-${address.replaceAll(':', '-')}`;
      if (endpoint === null) await drop('identify', name);
      else await put('identify', name, { endpoint, match: address });
    },
    tlsListener: async () => (await read('transport', 'carrier-tls'))?.bind,
  };
}

/** The response to a request with a password may contain it, so it is not part of the error. */
function refuse({ status }: Answer, type: string): void {
  if (status >= 300)
    throw new Error(`The media node responded ${status} to a change of its ${type} objects.`);
}
