import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  headers: Record<string, string>;
  path: string;
  /** Raw body of the request. */
  text: string;
  body: ReturnType<typeof JSON.parse>;
  atMs: number;
}

/** The response to a webhook: a status, a status with a body, or none. */
export type Reply = number | { status: number; body: string } | 'hang' | 'reset';

export interface Receiver {
  url: string;
  received: ReceivedWebhook[];
  /** Sets the response to each webhook; default 204. */
  answer(decide: (webhook: ReceivedWebhook) => Reply): void;
  stop(): Promise<void>;
}

/** Starts a customer's server, by default on loopback; HTTPS if given a certificate. */
export async function startReceiver(
  options: { address?: string; port?: number; certificate?: { key: string; cert: string } } = {},
): Promise<Receiver> {
  const { address = '127.0.0.1', port = 0, certificate } = options;
  // Separate paths: the port may have been that of a receiver of another test, whose deliveries are still retried.
  const path = port === 0 ? `/hook-${randomBytes(6).toString('hex')}` : '/hook';
  const received: ReceivedWebhook[] = [];
  let decide: (webhook: ReceivedWebhook) => Reply = () => 204;
  const listener: RequestListener = (request, response) => {
    if (!request.url?.startsWith(path)) {
      request.resume();
      response.writeHead(404).end();
      return;
    }
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const webhook = { headers, path: request.url ?? '', text, body: JSON.parse(text), atMs: Date.now() };
      received.push(webhook);
      const reply = decide(webhook);
      if (reply === 'reset') request.socket.destroy();
      else if (typeof reply === 'object') response.writeHead(reply.status).end(reply.body);
      else if (reply !== 'hang') response.writeHead(reply).end();
    });
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return {
    url: `${certificate ? 'https' : 'http'}://${address}:${(server.address() as AddressInfo).port}${path}`,
    received,
    answer(decision) {
      decide = decision;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the webhooks about one call or charge received so far. */
export const webhooksAbout = ({ received }: Receiver, id: unknown): ReceivedWebhook[] =>
  received.filter(({ body }) => body.id === id);

/** Verifies the signature whatever the time: tests stop and move the clock, but the library compares with the real one. */
export function isSigned(
  { headers, text }: Pick<ReceivedWebhook, 'headers' | 'text'>,
  secret: string,
): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, text);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
}

export const eventTypesIn = (webhooks: ReceivedWebhook[]): string[] =>
  webhooks.map(({ body }) => body.eventType as string).sort();
