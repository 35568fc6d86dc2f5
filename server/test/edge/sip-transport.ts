import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';

export interface Address {
  address: string;
  port: number;
}

export interface Transport {
  readonly protocol: 'UDP' | 'TCP';
  readonly local: Address;
  send(bytes: string | Buffer, to?: Address): void;
  close(): Promise<void>;
}

type OnText = (text: string, from: Address) => void;

/** Binds to any loopback address: different ones play different clients. */
export async function openUdp(server: Address, local: Partial<Address>, onText: OnText): Promise<Transport> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => onText(bytes.toString('latin1'), from));
  // Nobody listening is answered by ICMP; to a SIP client that is silence.
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
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let pending = '';
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1');
    pending = takeWhole(pending, (text) => onText(text, server));
  });
  return {
    protocol: 'TCP',
    local: { address: socket.localAddress ?? '', port: socket.localPort ?? 0 },
    send: (bytes) => void socket.write(Buffer.from(bytes as string, 'latin1')),
    close: () => closed(socket),
  };
}

/** Hands on every complete message and gives back the rest. */
function takeWhole(pending: string, onText: (text: string) => void): string {
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
