import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { WebSocket } from 'ws';
import { authorityFile } from '../../../../tools/dev/voice/certificates.ts';

export interface Address {
  address: string;
  port: number;
}

export interface Transport {
  readonly protocol: 'UDP' | 'TCP' | 'TLS' | 'WSS';
  readonly local: Address;
  send(bytes: string | Buffer, to?: Address): void;
  /** Resolves once the connection is lost; absent without a connection. */
  readonly gone?: Promise<void>;
  close(): Promise<void>;
  /** Drops the connection without the closing handshake. */
  cut?(): Promise<void>;
}

type OnText = (text: string, from: Address) => void;

/** Binds to any loopback address, so that a test can act as several clients. */
export async function openUdp(server: Address, local: Partial<Address>, onText: OnText): Promise<Transport> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => onText(bytes.toString('latin1'), from));
  // A closed port is reported by ICMP; a SIP client treats that as no response.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.bind(local.port ?? 0, local.address ?? '127.0.0.1', resolve));
  const { address, port } = socket.address();
  return {
    protocol: 'UDP',
    local: { address, port },
    send: (bytes, to = server) => socket.send(Buffer.from(bytes as string, 'latin1'), to.port, to.address),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

export async function openTcp(server: Address, local: Partial<Address>, onText: OnText): Promise<Transport> {
  const socket = connect({
    port: server.port,
    host: server.address,
    localAddress: local.address ?? '127.0.0.1',
  });
  return stream('TCP', socket, 'connect', server, onText);
}

/** Requires the edge's certificate, signed by the authority of this checkout. */
export async function openTls(
  server: Address,
  local: Partial<Address>,
  onText: OnText,
  maxVersion: SecureVersion = 'TLSv1.3',
): Promise<Transport> {
  const way = connect({
    port: server.port,
    host: server.address,
    localAddress: local.address ?? '127.0.0.1',
  });
  const socket = connectTls({
    socket: way,
    host: server.address,
    ca: readFileSync(authorityFile),
    minVersion: 'TLSv1',
    maxVersion,
    // Also offers versions and ciphers that the library would reject, so that the edge has to reject them.
    ...(maxVersion === 'TLSv1.3' ? {} : { ciphers: 'DEFAULT@SECLEVEL=0' }),
  });
  return stream('TLS', socket, 'secureConnect', server, onText);
}

async function stream(
  protocol: 'TCP' | 'TLS',
  socket: Socket,
  opened: 'connect' | 'secureConnect',
  server: Address,
  onText: OnText,
): Promise<Transport> {
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once(opened, resolve).once('error', reject));
  let pending = '';
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1');
    pending = splitMessages(pending, (text) => onText(text, server));
  });
  return {
    protocol,
    local: { address: socket.localAddress ?? '', port: socket.localPort ?? 0 },
    send: (bytes) => void socket.write(Buffer.from(bytes as string, 'latin1')),
    gone: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => closed(socket),
  };
}

/** Acts as a browser, which does not know its own address and uses a random name instead. */
export async function openWss(
  server: Address,
  local: Partial<Address>,
  onText: OnText,
  origin: string,
): Promise<Transport> {
  const socket = new WebSocket(`wss://${server.address}:${server.port}/sip`, 'sip', {
    origin,
    localAddress: local.address ?? '127.0.0.1',
    ca: readFileSync(authorityFile),
  });
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('message', (data) => onText(data.toString('latin1'), server));
  return {
    protocol: 'WSS',
    local: { address: `${randomBytes(6).toString('hex')}.invalid`, port: 443 },
    send: (bytes) => socket.send(Buffer.from(bytes as string, 'latin1').toString('utf8')),
    gone: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => closedBy(socket, () => socket.close()),
    cut: () => closedBy(socket, () => socket.terminate()),
  };
}

function closedBy(socket: WebSocket, close: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === WebSocket.CLOSED) return resolve();
    socket.once('close', () => resolve());
    close();
  });
}

/** Calls `onText` with every complete message and returns the remainder. */
function splitMessages(pending: string, onText: (text: string) => void): string {
  let rest = pending.replace(/^[\r\n]+/, '');
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return rest;
    const length = Number(/^(?:content-length|l)\s*:\s*(\d+)/im.exec(rest.slice(0, head))?.[1] ?? 0);
    if (rest.length < head + 4 + length) return rest;
    onText(rest.slice(0, head + 4 + length));
    rest = rest.slice(head + 4 + length).replace(/^[\r\n]+/, '');
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    socket.once('close', () => resolve());
    socket.destroy();
  });
}
