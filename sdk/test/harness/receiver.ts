import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../server/test/adapters/webhooks/servers.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** Receives webhooks and responds with the given status. */
export async function startReceiver(
  statusFor: (received: Received) => number = () => 204,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { headers: request.headers as Record<string, string>, body };
      received.push(one);
      response.writeHead(statusFor(one)).end();
    });
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}/webhooks`, received, close };
}
