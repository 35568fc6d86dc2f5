import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { codeOf, Failure } from './failure.ts';

export interface Target {
  /** The checked IP address to connect to. */
  address: string;
  port: number;
  isTls: boolean;
  /** The host name required in the certificate. */
  host: string;
}

export interface ConnectOptions {
  timeoutMs: number;
  /** Trusted in addition to Node's certificate authorities. */
  certificateAuthority: string | undefined;
}

type Connected = (...result: [null, Socket] | [Error, null]) => void;

/** Connects to exactly one address. Calls `connected` once, with a socket or with the stage that failed. */
export function connectTo(target: Target, options: ConnectOptions, connected: Connected): void {
  const { address, port, isTls } = target;
  const tcp = connectTcp({ host: address, port, noDelay: true });
  let current: Socket = tcp;
  let stage = 'connect_failed' as 'connect_failed' | 'tls_failed';
  const finish = (error: Failure | null): void => {
    clearTimeout(timer);
    for (const socket of new Set([tcp, current])) socket.off('error', onError).off('close', onClose);
    if (!error) {
      connected(null, current);
      return;
    }
    // A destroyed socket may still emit an error.
    for (const socket of new Set([tcp, current])) socket.on('error', () => undefined).destroy();
    connected(error, null);
  };
  const onError = (error: Error) => finish(new Failure(stage, detailOf(stage, codeOf(error)), error));
  const onClose = () => finish(new Failure(stage, detailOf(stage, 'ECONNRESET')));
  const onTimeout = () => finish(new Failure('timeout', `${timeoutDetail[stage]} within the time limit.`));
  const timer = setTimeout(onTimeout, options.timeoutMs);
  tcp.on('error', onError).on('close', onClose);
  tcp.once('connect', () => {
    if (!isTls) {
      finish(null);
      return;
    }
    stage = 'tls_failed';
    tcp.off('error', onError).off('close', onClose);
    current = secure(tcp, target, options).on('error', onError).on('close', onClose);
    current.once('secureConnect', () => finish(null));
  });
}

function secure(socket: Socket, { host, address }: Target, options: ConnectOptions): TLSSocket {
  const { certificateAuthority: ca } = options;
  const isName = host !== address;
  return connectTls({
    socket,
    host,
    ...(isName ? { servername: host.replace(/\.$/, '') } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
}

const timeoutDetail = {
  connect_failed: 'The server did not accept the connection',
  tls_failed: 'The server did not finish the TLS handshake',
};

const detailOf = (stage: 'connect_failed' | 'tls_failed', code: string): string =>
  stage === 'connect_failed'
    ? `The server could not be reached (${code}).`
    : `The TLS handshake failed (${code}).`;
