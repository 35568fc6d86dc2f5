import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { Refusal } from '../../platform/errors.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { nothing, pathUuid, refused, timestampText } from '../../platform/schemas.ts';
import { forAdmins } from '../../platform/scopes.ts';
import { listAccesses, outcomes } from './list-accesses.ts';
import { bytesOf, type OpenRecordingDeps, openRecording } from './open-recording.ts';

const tags = ['Recordings'];

const callId = pathUuid('The call.', 'recording');

const querystring = z.strictObject({
  signature: z
    .string()
    .optional()
    .meta({ description: 'From the link.', 'x-refers-to': 'recording-signature' }),
});

const audio = (description: string) => ({
  description,
  content: { 'audio/wav': { schema: z.string().meta({ format: 'binary' }) } },
});

const refusals = {
  404: refused(
    '`RECORDING_NOT_READY` with `Retry-After` until the file is stored; `NOT_FOUND` for an altered link and for a recording that was removed.',
  ),
  410: refused('`RECORDING_LINK_EXPIRED`: read the call again for a new link.'),
  416: refused('`RANGE_NOT_SATISFIABLE`: the file ends before the range begins.'),
};

const access = z.object({
  id: z.uuid(),
  at: timestampText,
  issuedTo: z
    .uuid()
    .nullable()
    .meta({ description: 'The user or service token to whom the link was issued; null for older links.' }),
  issuedToName: z
    .string()
    .nullable()
    .meta({ description: 'The name of the user or service token; null if it was removed.' }),
  address: z.string().meta({ description: 'IP address from which it was used.' }),
  method: z.enum(['GET', 'HEAD']),
  outcome: z.enum(outcomes).meta({ description: 'What was served, or the reason why nothing was served.' }),
  rangeStart: z.int().nullable().meta({ description: 'First byte served.' }),
  bytes: z.int().meta({ description: 'Number of bytes served.' }),
});

export const recordingRoutes =
  (deps: OpenRecordingDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/recordings/:callId',
      {
        config: { access: 'PUBLIC' },
        exposeHeadRoute: false,
        schema: {
          tags,
          operationId: 'getRecording',
          summary: 'Listen to a recording',
          description:
            'The link in `record_url`: valid for 15 minutes, without a token. WAV, with byte ranges for players that seek. It contains both sides from the answer to the hang-up. Every use is logged. While the storage is unavailable, the link returns 503 with `Retry-After`, and new recordings are stored later. Recordings are kept for 90 days unless the operator configures another period; after that `record_url` is null.',
          'x-clauses': ['AUDIO-05', 'AUDIO-15', 'CALL-28', 'CALL-29', 'CALL-40', 'LIMIT-15', 'ERR-16'],
          params: z.object({ callId }),
          querystring,
          response: { 200: audio('The whole recording.'), 206: audio('The requested range.'), ...refusals },
        },
      },
      (request, reply) => serve(deps, 'GET', request, reply) as never,
    );

    app.head(
      '/recordings/:callId',
      {
        config: { access: 'PUBLIC', swagger: { exposeHeadRoute: true } },
        schema: {
          tags,
          operationId: 'getRecordingHeaders',
          summary: 'Read the headers of a recording',
          description: 'The headers of the recording without its audio.',
          'x-clauses': ['CALL-28'],
          params: z.object({ callId }),
          querystring,
          response: { 200: nothing, ...refusals },
        },
      },
      (request, reply) => serve(deps, 'HEAD', request, reply) as never,
    );

    app.get(
      '/calls/:id/recording/accesses',
      {
        config: { access: forAdmins('recordings') },
        schema: {
          tags,
          operationId: 'listRecordingAccesses',
          summary: 'List the accesses to a recording',
          description:
            'Every use of a link to the recording, newest first, kept for a year, with the person to whom the link was issued. Anyone who has a link can use it: the IP address shows from where.',
          'x-clauses': ['CALL-66', 'PERM-09'],
          params: z.object({ id: callId }),
          querystring: pageQuery,
          response: { 200: pageOf(access, 'RecordingAccess') },
        },
      },
      async (request, reply) => {
        const { accountId } = callerOf(request);
        const page = await listAccesses(deps, accountId, request.params.id, request.query);
        return reply.headers(pageHeaders(request.url, page)).send(page);
      },
    );
  };

interface LinkRequest {
  params: { callId: string };
  query: { signature?: string | undefined };
}

async function serve(
  deps: OpenRecordingDeps,
  method: 'GET' | 'HEAD',
  request: Pick<FastifyRequest, 'headers' | 'clientAddress'> & LinkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await openRecording(deps, {
    callId: request.params.callId,
    signature: request.query.signature,
    method,
    range: request.headers.range,
    ifRange: request.headers['if-range']?.toString(),
    address: request.clientAddress,
  });
  const { part, totalBytes } = opened;
  reply.headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  if (part.kind === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${totalBytes}`);
    throw new Refusal('RANGE_NOT_SATISFIABLE', `The recording has ${totalBytes} bytes.`);
  }
  if (part.kind === 'part')
    reply.code(206).header('Content-Range', `bytes ${part.start}-${part.end}/${totalBytes}`);
  return reply
    .headers({ ETag: opened.tag, 'Content-Length': bytesOf(part, totalBytes) })
    .type('audio/wav')
    .send(opened.body);
}
