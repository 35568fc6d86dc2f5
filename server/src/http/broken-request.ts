import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Refusal } from '../platform/errors.ts';
import { problemOf } from './problems.ts';

/** Answers requests that the HTTP parser rejects, in the API's error format. */
export function answerBrokenRequest(_error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(
    problemOf(new Refusal('MALFORMED_REQUEST', 'The request is not valid HTTP, or it arrived too slowly.')),
  );
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
