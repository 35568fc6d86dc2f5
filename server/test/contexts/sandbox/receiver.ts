import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Notification } from '../../../src/contexts/sandbox/notification.ts';

interface Report {
  path: string;
  headers: Record<string, string>;
  body: Notification;
}

/** Stands in for the API and records the notifications it receives. */
export interface Receiver {
  url: string;
  findReports(paymentId: string): Report[];
  /** Sets the statuses for the next notifications of a payment; 200 after that. */
  answerNext(paymentId: string, statuses: number[]): void;
  /** Waits until exactly these events have arrived, in this order. */
  waitFor(paymentId: string, events: string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const reports: Report[] = [];
  const answers = new Map<string, number[]>();
  async function take(request: IncomingMessage): Promise<number> {
    const body = JSON.parse((await request.toArray()).join('')) as Notification;
    reports.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body });
    return answers.get(body.payment.id)?.shift() ?? 200;
  }
  const server = createServer((request, response) => {
    void take(request).then((status) => response.writeHead(status).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const findReports = (paymentId: string) => reports.filter(({ body }) => body.payment.id === paymentId);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findReports,
    answerNext: (paymentId, statuses) => void answers.set(paymentId, statuses),
    waitFor: (paymentId, events) =>
      expect.poll(() => findReports(paymentId).map(({ body }) => body.event)).toEqual(events),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
