import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';

export interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Starts listening; closing also ends open connections. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export interface Canary extends Listening {
  connections(): number;
}

/** Counts connections on both loopback addresses and sends nothing. */
export async function startCanary(): Promise<Canary> {
  let connections = 0;
  const count = () =>
    createServer(() => {
      connections += 1;
    });
  const first = await listen(count(), '127.0.0.1');
  const second = await listen(count(), '::1', first.port);
  return {
    port: first.port,
    connections: () => connections,
    close: async () => void (await Promise.all([first.close(), second.close()])),
  };
}

export const startReceiver = (answer: RequestListener, host?: string, port?: number): Promise<Listening> =>
  listen(createHttp(answer), host, port);

export interface Certificate {
  key: string;
  cert: string;
}

export const startTlsReceiver = (certificate: Certificate, answer: RequestListener): Promise<Listening> =>
  listen(createHttps(certificate, answer));

/** Starts a TCP server below HTTP; `serve` controls the socket. */
export const startRaw = (serve: (socket: Socket) => void): Promise<Listening> => listen(createServer(serve));

/** Creates a self-signed certificate for these names. */
export async function makeCertificate(names: string, days = 2): Promise<Certificate> {
  const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${names}`, '-days', String(days)];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const { stdout } = await promisify(execFile)('openssl', [
    ...['req', '-x509', '-keyout', '-', '-out', '-'],
    ...key,
    ...subject,
  ]);
  const begin = stdout.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: stdout.slice(0, begin), cert: stdout.slice(begin) };
}
