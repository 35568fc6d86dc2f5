import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Responds to HEAD with the headers only: the framework would read a stream to its end, and an event stream has none. */
export function endStreamsOfHead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy();
    done();
  });
}
