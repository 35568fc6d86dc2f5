import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Fault injected into one request or its response. */
export type Fate =
  | 'pass'
  /** The connection breaks before the service receives the request. */
  | 'lose the request'
  /** The service processes it, and the connection breaks before the response arrives. */
  | 'lose the answer'
  /** The connection breaks in the middle of the response. */
  | 'cut the answer'
  /** No response. */
  | 'swallow'
  /** A proxy responds instead of the service. */
  | 'bad gateway';

export interface LossyProxy {
  url: string;
  /** Faults for the next requests; later requests pass. */
  next(...fates: Fate[]): void;
  /** Every request received. */
  seen: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** Breaks all connections. */
  breakAll(): void;
  close(): Promise<void>;
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const fates: Fate[] = [];
  const seen: LossyProxy['seen'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    seen.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers });
    pass(target, incoming, outgoing, fates.shift() ?? 'pass');
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (...given) => void fates.push(...given),
    seen,
    breakAll,
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate): void {
  if (fate === 'swallow') return;
  if (fate === 'lose the request') return void incoming.socket.destroy();
  if (fate === 'bad gateway') return void outgoing.writeHead(502).end('<html>Bad gateway</html>');
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? '', target), { method, headers }, (answer) => {
    if (fate === 'lose the answer') {
      answer.resume().on('end', () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    if (fate === 'cut the answer')
      answer.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => incoming.socket.destroy());
      });
    else answer.pipe(outgoing);
  });
  onward.on('error', () => incoming.socket.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
