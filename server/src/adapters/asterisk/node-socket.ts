import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';

/** The engine normally responds within milliseconds; after this time it is considered hung. */
const answerTimeoutMs = 3_000;
const maxPending = 5_000;

const response = z.object({
  type: z.literal('RESTResponse'),
  request_id: z.string(),
  status_code: z.number(),
  message_body: z.string().optional(),
});

export interface Answer {
  status: number;
  body: unknown;
}

export interface NodeSocket {
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', uri: string, body?: object): Promise<Answer>;
  readonly gone: Promise<void>;
  close(): void;
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Sends requests and receives events over the connection that the media node opened. Messages that are not responses
 * are events.
 */
export function openNodeSocket(socket: WebSocket, onEvent: (event: unknown) => void): NodeSocket {
  const pending = new Map<string, Pending>();
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    const message = parse((data as Buffer).toString());
    if ((message as { type?: unknown } | undefined)?.type !== 'RESTResponse') return onEvent(message);
    const answer = response.safeParse(message);
    if (!answer.success) return;
    const { request_id: id, status_code: status, message_body: text } = answer.data;
    settle(pending, id)?.resolve({ status, body: text ? parse(text) : undefined });
  });
  void gone.then(() => {
    for (const id of [...pending.keys()])
      settle(pending, id)?.reject(new Error('The media node has disconnected.'));
  });

  return {
    gone,
    close: () => socket.terminate(),
    request: (method, uri, body) =>
      new Promise((resolve, reject) => {
        if (pending.size >= maxPending)
          return reject(new Error('Too many requests to the media node are pending.'));
        const id = randomUUID();
        const timer = setTimeout(() => {
          settle(pending, id)?.reject(
            new Error(`The media node did not respond to ${method} ${uri} in time.`),
          );
        }, answerTimeoutMs);
        pending.set(id, { resolve, reject, timer });
        const request = {
          type: 'RESTRequest',
          request_id: id,
          method,
          uri,
          ...(body ? { content_type: 'application/json', message_body: JSON.stringify(body) } : {}),
        };
        socket.send(JSON.stringify(request), (error) => {
          if (error) settle(pending, id)?.reject(error);
        });
      }),
  };
}

function settle(pending: Map<string, Pending>, id: string): Pending | undefined {
  const request = pending.get(id);
  pending.delete(id);
  clearTimeout(request?.timer);
  return request;
}

/** Parses a message. Invalid input from one node must not crash the process that serves all nodes. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
