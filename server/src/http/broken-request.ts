import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Refusal } from '../platform/errors.ts';
import { problemOf } from './problems.ts';

/** What the HTTP parser refuses never becomes a request. It is answered in our form all the same. */
export function answerBrokenRequest(_error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(
    problemOf(new Refusal('MALFORMED_REQUEST', 'This is not a request we can read, or it came too slowly.')),
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
