import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createBook } from './book.ts';
import { createFaults, type Fault, type FaultOptions } from './faults.ts';
import { createAsaasServer, type Traffic } from './http.ts';
import type { FakeCustomer, FakeEvent, FakePayment } from './payment.ts';
import { createPaymentActions } from './payment-actions.ts';
import { type DeliverOptions, type DeliveryReport, deliverEvents } from './webhooks.ts';

export type { Fault } from './faults.ts';
export type { FakeEvent, FakePayment } from './payment.ts';

export interface AsaasOptions {
  apiKey: string;
  webhookToken: string;
  webhookUrl?: string;
  /** Default: 0, which chooses a free port. */
  port?: number;
  now?: () => Date;
  /** Number of requests after which every response is 429. */
  quota?: number;
  latencyMs?: number;
}

export interface FakeAsaas extends ReturnType<typeof createPaymentActions> {
  /** The base URL, `/v3` included. */
  url: string;
  payments(): FakePayment[];
  customers(): FakeCustomer[];
  /** Requests so far, such as `POST /payments`, and the highest concurrency. */
  traffic: Readonly<Traffic>;
  /** Injects a fault into the next request, or the next few of a kind. */
  fault(fault: Fault, options?: FaultOptions): void;
  /** Runs `act` just before the next request with this prefix is answered. */
  meanwhile(on: string, act: () => void): void;
  /** Clears unused faults. */
  heal(): void;
  /** Performs deferred effects. */
  land(): void;
  /** Returns the undelivered events. */
  events(): FakeEvent[];
  /** Delivers pending events, with the real gateway's retries until exactly 200. */
  deliver(options?: DeliverOptions): Promise<DeliveryReport>;
  webhook(url: string): void;
  stop(): Promise<void>;
}

/** Starts a fake payment gateway that implements Asaas' protocol over a real socket, with fault injection. */
export async function startAsaas(options: AsaasOptions): Promise<FakeAsaas> {
  const now = options.now ?? (() => new Date());
  const traffic: Traffic = { requests: [], now: 0, peak: 0 };
  const faults = createFaults();
  const later: (() => void)[] = [];
  let webhookUrl = options.webhookUrl;
  let origin = '';
  const book = createBook(now, () => origin);
  const server = createAsaasServer({
    apiKey: options.apiKey,
    book,
    faults,
    traffic,
    now,
    later,
    quota: options.quota ?? 25_000,
    latencyMs: options.latencyMs ?? 0,
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...createPaymentActions(book, now),
    url: `${origin}/v3`,
    payments: () => structuredClone([...book.payments.values()]),
    customers: () => structuredClone([...book.customers.values()]),
    traffic,
    fault: faults.order,
    meanwhile: faults.meanwhile,
    heal: faults.clear,
    land() {
      for (const effect of later.splice(0)) effect();
    },
    events: () => structuredClone(book.events),
    deliver: (how = {}) => deliverEvents(book.events, { url: webhookUrl, token: options.webhookToken }, how),
    webhook(url) {
      webhookUrl = url;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
