import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Readable } from 'node:stream';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { z } from 'zod';

export interface NodesDeps {
  createServer(listener: RequestListener): Server;
  /** Returns the node that sent a request. */
  identify(request: IncomingMessage): Promise<string | undefined>;
  receiveRecords(node: string, lines: unknown[], isComplete: boolean): Promise<void>;
  storeRecording(upload: {
    node: string;
    callId: string;
    body: Readable;
    bytes: number;
  }): Promise<'stored' | 'known' | 'refused' | 'unexpected'>;
  /** Called when an upload could not be stored; the node will send it again. */
  onError(error: Error, node: string): void;
}

const maxRecords = 500;
const largestBodyBytes = 4 * 1024 * 1024;

const records = z.object({ lines: z.array(z.unknown()).max(maxRecords), isComplete: z.boolean() });

/** Builds the private port that the shipper of each media node uploads to: detail records and recordings. */
export function buildNodes(deps: NodesDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: largestBodyBytes,
    serverFactory: (handler) => deps.createServer(handler),
  });
  // Recordings are streamed, never buffered.
  app.addContentTypeParser('audio/wav', (_request, payload, done) => done(null, payload));
  app.decorateRequest('node', '');
  app.addHook('onRequest', async (request, reply) => {
    const node = await deps.identify(request.raw);
    if (node === undefined) return await reply.code(401).send({ error: 'unknown node' });
    request.node = node;
  });
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    deps.onError(error, request.node);
    return await reply.code(error.statusCode ?? 500).send({ error: 'not taken' });
  });
  app.post('/records', async (request, reply) => {
    const { lines, isComplete } = records.parse(request.body);
    await deps.receiveRecords(request.node, lines, isComplete);
    return await reply.code(204).send();
  });
  app.put<{ Params: { callId: string } }>('/recordings/:callId', async (request) => {
    const bytes = Number(request.headers['content-length']);
    const body = request.body as Readable;
    const outcome = await deps.storeRecording({
      node: request.node,
      callId: request.params.callId,
      body,
      bytes,
    });
    return { outcome };
  });
  return app;
}
