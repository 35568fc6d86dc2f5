import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer } from './http.ts';
import { type Envelope, parseMessage, type SinkMessage } from './message.ts';
import { createSmtpServer } from './smtp.ts';
import { openMessageStore } from './store.ts';

export type { SinkMessage } from './message.ts';

export interface MailSink {
  smtpUrl: string;
  httpUrl: string;
  /** Newest first; with an address, only mails sent to it. */
  messages(to?: string): SinkMessage[];
  /** Returns the newest matching message, waiting for it if necessary. Rejects after `timeoutMs`, by default 2 minutes. */
  waitFor(predicate: (message: SinkMessage) => boolean, timeoutMs?: number): Promise<SinkMessage>;
  /** While on, every mail is answered with 451 (temporary failure). */
  refuseAll(on: boolean): void;
  stop(): Promise<void>;
}

export interface MailSinkOptions {
  /** Folder of the messages. Default: a temporary directory that is removed with the sink. */
  dir?: string;
  /** Default: 0, which chooses a free port. */
  smtpPort?: number;
  httpPort?: number;
  /** Default: loopback; set it if other machines send mail. */
  host?: string;
}

/** Long, because mails are sent by a worker that may share a busy machine. */
const defaultTimeoutMs = 120_000;

export async function startMailSink(options: MailSinkOptions = {}): Promise<MailSink> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'mail-sink-')));
  const store = await openMessageStore(dir);
  const arrivals = new EventEmitter<{ message: [SinkMessage] }>().setMaxListeners(0);
  const nextId = idsInOrder();
  let refusing = false;

  async function receive(envelope: Envelope, raw: Buffer) {
    const receivedAt = new Date();
    const message = await parseMessage(nextId(receivedAt), receivedAt, envelope, raw);
    await store.add(message);
    arrivals.emit('message', message);
  }

  const smtp = createSmtpServer({ isRefusing: () => refusing, receive });
  // Ignore clients that disconnect in the middle of a mail; a port in use is reported by `listen`.
  smtp.on('error', () => {});
  const http = createHttpServer(store);
  const smtpPort = await listen(smtp.server, options.smtpPort ?? 0, options.host);
  const httpPort = await listen(http, options.httpPort ?? 0, options.host);

  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    messages: (to) => store.list(to),
    waitFor(predicate, timeoutMs = defaultTimeoutMs) {
      const here = store.list().find(predicate);
      if (here) return Promise.resolve(here);
      return new Promise((resolve, reject) => {
        const onMessage = (message: SinkMessage) => {
          if (predicate(message)) settle(() => resolve(message));
        };
        const timer = setTimeout(() => settle(() => reject(new Error(missing(timeoutMs)))), timeoutMs);
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          arrivals.off('message', onMessage);
          finish();
        };
        arrivals.on('message', onMessage);
      });
    },
    refuseAll(on) {
      refusing = on;
    },
    async stop() {
      http.closeAllConnections();
      await Promise.all([
        new Promise<void>((closed) => smtp.close(closed)),
        new Promise<void>((closed) => http.close(() => closed())),
      ]);
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
    },
  };

  function missing(timeoutMs: number) {
    const seen = store.list().map((message) => `${message.to.join(', ')}: ${message.subject}`);
    return `No matching mail within ${timeoutMs} ms. The sink has ${seen.length}: ${seen.slice(0, 10).join(' | ')}`;
  }
}

async function listen(server: Server, port: number, host = '127.0.0.1') {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns a generator of ids that sort by arrival, even within a millisecond and after a restart. */
function idsInOrder() {
  let sequence = 0;
  return (receivedAt: Date) => {
    sequence += 1;
    const time = receivedAt.toISOString().replace(/\D/g, '');
    return `${time}-${String(sequence).padStart(6, '0')}-${randomBytes(3).toString('hex')}`;
  };
}
