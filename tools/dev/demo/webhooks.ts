import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { type ApiClient, until } from './api-client.ts';

interface Received {
  body: { id?: string; eventType?: string };
  headers: Record<string, unknown>;
  text: string;
  isGenuine: boolean;
}

/** Starts a webhook receiver on this machine, like that of a CRM. */
export async function receiveWebhooks(admin: ApiClient) {
  const received: Received[] = [];
  let verifier: Webhook | undefined;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({
        body: JSON.parse(body) as Received['body'],
        headers: request.headers,
        text: body,
        isGenuine: isGenuine(verifier, body, request.headers),
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { id } = await admin.patch('/integrations', {
    gateway: 'demo',
    webhook: true,
    webhookConstraint: {},
    metadata: {
      webhookUrl: `http://127.0.0.1:${port}/disca`,
      webhookTypes: ['channel-answer', 'channel-hangup', 'recording-ready'],
    },
  });
  verifier = new Webhook(String((await admin.get(`/integrations/${String(id)}/secret`)).secret));
  return {
    /** Returns the event types received for this call, once the last one has arrived, and the body of its end. */
    async report(callId: string): Promise<string[]> {
      const mine = await until('the webhooks arrive', 30, async () => {
        const matching = received.filter(({ body }) => body.id === callId);
        return matching.some(({ body }) => body.eventType === 'recording-ready') ? matching : undefined;
      });
      const types = mine.map(({ body }) => String(body.eventType)).join(', ');
      const isAllGenuine = mine.every((each) => each.isGenuine);
      return [
        `${types}; signatures ${isAllGenuine ? 'verified' : 'WRONG'}`,
        ...asReceived(mine.find(({ body }) => body.eventType === 'channel-hangup')),
      ];
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isGenuine(verifier: Webhook | undefined, body: string, headers: object): boolean {
  try {
    return verifier?.verify(body, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
}

function asReceived(hangup: Received | undefined): string[] {
  if (!hangup) return [];
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const body = JSON.stringify(JSON.parse(hangup.text), null, 2).split('\n');
  return ['', ...headers.map((name) => `${name}: ${String(hangup.headers[name])}`), '', ...body];
}
