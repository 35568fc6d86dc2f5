import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addNode } from '../../../src/contexts/telephony/index.ts';
import { startVoice, type Voice } from '../../../src/main/start-voice.ts';
import {
  type KeyPair,
  makeNodeCertificates,
  type NodeCertificates,
} from '../../harness/node-certificates.ts';
import { openOperator } from '../../harness/operator.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let voice: Voice;
let own: NodeCertificates;
let foreign: NodeCertificates;
const secrets = new Map<string, string>();

beforeAll(async () => {
  [own, foreign] = [makeNodeCertificates(['m1', 'm2']), makeNodeCertificates(['m1'])];
  platform = await startPlatform({
    VOICE_PORT: '0',
    VOICE_TLS_PORT: '0',
    // As seen from another machine, because the tests have the address of this one.
    VOICE_PLAIN_NETWORKS: '192.0.2.1',
    ...own.settings,
  });
  const operator = openOperator(platform);
  for (const name of ['m1', 'm2']) {
    const { secret } = await addNode(operator, { name, sipAddress: `127.9.1.${name.slice(1)}:5060` });
    secrets.set(name, secret);
  }
  await operator.close();
  voice = await startVoice(platform.config, platform.api.base, platform.api.money);
});
afterAll(async () => {
  await voice?.stop();
  await platform.close();
  for (const each of [own, foreign]) each.remove();
});

interface Attempt {
  /** Name and secret are those of this node. */
  node?: string;
  secret?: string | undefined;
  certificate?: KeyPair | undefined;
  isPlain?: boolean;
}

const authorization = ({ node = 'm1', secret = secrets.get(node) }: Attempt): string =>
  `Basic ${Buffer.from(`${node}:${secret}`).toString('base64')}`;

/** Sends a request; returns its status, or `refused` if the connection was closed. */
async function send(attempt: Attempt, method: string, path: string, more: Record<string, string>, body = '') {
  const headers = { authorization: authorization(attempt), ...more };
  const common = { host: '127.0.0.1', method, path, headers, agent: false } as const;
  const tls = { ca: own.authority, servername: 'voice', ...attempt.certificate };
  const sent = attempt.isPlain
    ? plainRequest({ ...common, port: voice.port })
    : secureRequest({ ...common, ...tls, port: voice.tlsPort });
  sent.end(body);
  const upgraded = once(sent, 'upgrade').then(([response, socket]) => {
    socket.destroy();
    return response.statusCode as number;
  });
  const answered = once(sent, 'response').then(([response]) => {
    response.resume();
    return response.statusCode as number;
  });
  const outcome = await Promise.any([upgraded, answered]).catch(() => 'refused' as const);
  for (const each of [upgraded, answered]) each.catch(() => undefined);
  sent.destroy();
  return outcome;
}

const connections: [
  who: string,
  connect: (attempt: Attempt) => Promise<number | 'refused'>,
  accepted: number,
][] = [
  [
    'a media node',
    (attempt) =>
      send(attempt, 'GET', '/asterisk', {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        'sec-websocket-protocol': 'ari',
      }),
    101,
  ],
  [
    'a shipper',
    (attempt) => {
      const body = JSON.stringify({ lines: [], isComplete: false });
      return send(attempt, 'POST', '/records', { 'content-type': 'application/json' }, body);
    },
    204,
  ],
];

describe.each(connections)('%s', (_who, connect, accepted) => {
  test('NODE-01 of another machine is refused without TLS and without a certificate', async () => {
    expect(await connect({ isPlain: true })).toBe('refused');
    expect(await connect({})).toBe('refused');
  });

  test('NODE-01 is refused with a certificate of another authority or that of voice', async () => {
    expect(await connect({ certificate: foreign.ofNode('m1') })).toBe('refused');
    expect(await connect({ certificate: own.voice })).toBe('refused');
  });

  test('NODE-02 is refused with the certificate of another node', async () => {
    expect(await connect({ node: 'm1', certificate: own.ofNode('m2') })).toBe(401);
    expect(await connect({ node: 'm2', certificate: own.ofNode('m1') })).toBe(401);
  });

  test('NODE-02 is accepted with its own certificate and secret, and only with both', async () => {
    expect(await connect({ certificate: own.ofNode('m1'), secret: 'wrong' })).toBe(401);
    expect(await connect({ certificate: own.ofNode('m1') })).toBe(accepted);
    expect(await connect({ node: 'm2', certificate: own.ofNode('m2') })).toBe(accepted);
  });
});

test('NODE-01 voice does not start with a certificate but without its key', async () => {
  const { VOICE_CERTIFICATE_KEY: _, ...config } = platform.config;
  const starting = startVoice(config, platform.api.base, platform.api.money);
  await expect(starting).rejects.toThrow('must be set together');
});
