import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server for many endpoints: requests below /hang get no response, all others an immediate one. */
export interface Crowd {
  origin: string;
  /** An address without a listener. */
  deadOrigin: string;
  /** For each webhook that got a response, the milliseconds from the end of the call to its arrival. */
  ages: number[];
  stop(): Promise<void>;
}

export async function startCrowd(): Promise<Crowd> {
  const ages: number[] = [];
  const server = createServer((request, response) => receive(request, response, ages));
  server.keepAliveTimeout = 120_000;
  const origin = await listen(server);
  const dead = createServer();
  const deadOrigin = await listen(dead);
  await new Promise((resolve) => dead.close(resolve));
  return {
    origin,
    deadOrigin,
    ages,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function receive(request: IncomingMessage, response: ServerResponse, ages: number[]): void {
  const atMs = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    response.writeHead(204).end();
    const endedAt = /"endedAtIso":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
    ages.push(atMs - Date.parse(endedAt));
  });
}

const listen = (server: ReturnType<typeof createServer>): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
