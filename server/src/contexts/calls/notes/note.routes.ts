import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { lineText, pathUuid, refused, requestBody } from '../../../platform/schemas.ts';
import { forAdmins, forUsers } from '../../../platform/scopes.ts';
import { getDispositions, setDispositions } from './dispositions.ts';
import { type NoteDeps, writeNote } from './write-note.ts';

const tags = ['Calls'];

const dispositionName = lineText.min(1).max(60);

/** Lines and tabs, but no other control characters, which PostgreSQL or terminals do not accept. */
const writable = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

const noteShape = {
  disposition: lineText
    .max(60)
    .nullable()
    .meta({ description: 'One of `GET /dispositions`, or null.', examples: [null] }),
  note: z
    .string()
    .trim()
    .max(4_000)
    .regex(writable)
    .nullable()
    .meta({
      description: 'Text of at most 4,000 characters, or null.',
      examples: ['Asked for a quote by Friday.'],
    }),
  tags: z
    .array(lineText.min(1).max(40))
    .max(20)
    .meta({ description: 'At most 20 tags, stored in lower case.', examples: [['quote']] }),
};

const storedNote = z.object({
  disposition: z.string().nullable(),
  note: z.string().nullable(),
  tags: z.array(z.string()),
});

const names = z
  .array(dispositionName)
  .max(50)
  .refine((each) => new Set(each.map((name) => name.toLowerCase())).size === each.length, {
    error: 'must not contain a name twice',
  })
  .meta({
    description: 'In the order in which they are shown.',
    examples: [['Sale', 'Callback requested', 'No interest']],
  });

const dispositions = z.object({ names: z.array(z.string()) });

nameSchemas({ CallNote: storedNote, Dispositions: dispositions });

export const noteRoutes =
  (deps: NoteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/calls/:id/note',
      {
        config: { access: forUsers('calls:place') },
        schema: {
          tags,
          operationId: 'setCallNote',
          summary: 'Write a note about a call',
          description:
            'Sets disposition, note and tags of a call, during or after it. A change publishes `call-updated`; the same values again change nothing. A USER writes about their own calls, an ADMIN and a USER with the permission `supervision` about any call of the account. A call that the USER does not see returns 404.',
          'x-clauses': [
            'NOTE-01',
            'NOTE-03',
            'NOTE-04',
            'NOTE-06',
            'NOTE-08',
            'NOTE-09',
            'NOTE-10',
            'NOTE-11',
          ],
          params: z.object({ id: pathUuid('The call.', 'call') }),
          body: requestBody(noteShape).meta({ id: 'NewCallNote' }),
          response: { 200: storedNote, 403: refused('`ACCESS_DENIED`: the call belongs to another user.') },
        },
      },
      async (request) => await writeNote(deps, callerOf(request), request.params.id, request.body),
    );

    app.get(
      '/dispositions',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'getDispositions',
          summary: 'Read the dispositions of the account',
          description: 'The results of calls among which users choose. A new account has none.',
          'x-clauses': ['NOTE-07', 'NOTE-12'],
          response: { 200: dispositions },
        },
      },
      async (request) => await getDispositions(deps, callerOf(request)),
    );

    app.put(
      '/dispositions',
      {
        config: { access: forAdmins('account') },
        schema: {
          tags,
          operationId: 'setDispositions',
          summary: 'Set the dispositions of the account',
          description: 'Replaces the list, of at most 50 names. Calls keep a disposition that is removed.',
          'x-clauses': ['NOTE-07'],
          body: requestBody({ names }).meta({ id: 'NewDispositions' }),
          response: { 200: dispositions },
        },
      },
      async (request) => await setDispositions(deps, callerOf(request), request.body.names),
    );
  };
