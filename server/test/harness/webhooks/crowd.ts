import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long the slow server takes; less than the timeout of a request. */
export const slowMs = 5_000;

/** Servers for many endpoints: requests below /hang get no response, all others an immediate one. */
export interface Crowd {
  origin: string;
  /** A server on another host that answers with success after seconds. */
  slowOrigin: string;
  /** Paths to which that server has responded. */
  slowAnswers: Set<string>;
  /** An address without a listener. */
  deadOrigin: string;
  /** For each webhook that got a response, the milliseconds from the end of the call to its arrival. */
  ages: number[];
  /** Number of requests by `webhook-id`. */
  requests: Map<string, number>;
  stop(): Promise<void>;
}

export async function startCrowd(): Promise<Crowd> {
  const ages: number[] = [];
  const requests = new Map<string, number>();
  const server = createServer((request, response) => receive(request, response, { ages, requests }));
  server.keepAliveTimeout = 120_000;
  const origin = await listen(server);
  const slowAnswers = new Set<string>();
  const slow = createServer((request, response) => answerLate(request, response, slowAnswers));
  slow.keepAliveTimeout = 120_000;
  const slowOrigin = await listen(slow, '127.0.0.2');
  const dead = createServer();
  const deadOrigin = await listen(dead);
  await new Promise((resolve) => dead.close(resolve));
  return {
    origin,
    slowOrigin,
    slowAnswers,
    deadOrigin,
    ages,
    requests,
    stop: async () => {
      await Promise.all([server, slow].map(close));
    },
  };
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { ages, requests }: Pick<Crowd, 'ages' | 'requests'>,
): void {
  const atMs = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    const id = request.headers['webhook-id'];
    // A request of another test, to a port that was closed there and is open here.
    if (typeof id !== 'string' || !request.url?.startsWith('/ok/')) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(204).end();
    const before = requests.get(id) ?? 0;
    requests.set(id, before + 1);
    const endedAt = /"endedAtIso":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
    if (before === 0) ages.push(atMs - Date.parse(endedAt));
  });
}

function answerLate(request: IncomingMessage, response: ServerResponse, answers: Set<string>): void {
  request.resume();
  setTimeout(() => {
    response.writeHead(204).end();
    answers.add(request.url ?? '');
  }, slowMs);
}

const listen = (server: Server, address = '127.0.0.1'): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, address, () => resolve(`http://${address}:${(server.address() as AddressInfo).port}`)),
  );

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
