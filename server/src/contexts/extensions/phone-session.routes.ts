import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { emptyBody, idFrom, nothing, refused, timestampText } from '../../platform/schemas.ts';
import { forPersons } from '../../platform/scopes.ts';
import { endPhoneSession } from './end-phone-session.ts';
import { openPhoneSession } from './open-phone-session.ts';
import { type PhoneSession, type PhoneSessionDeps, registrationSeconds } from './phone-session.ts';

const tags = ['Extensions'];
const denied = refused('`ACCESS_DENIED`: the extension belongs to another user.');

const params = z.object({
  id: z.string().meta({ description: 'The extension.', 'x-refers-to': 'extension', examples: ['1'] }),
});
const sessionParams = params.extend({
  sessionId: z.string().meta({
    description: 'The phone session.',
    'x-refers-to': 'phone-session',
    examples: ['01890a5d-ac96-774b-bcce-b302099a8057'],
  }),
});

const phoneSession = z.object({
  id: z.uuid(),
  username: z.string().meta({
    description: 'SIP authentication user name, unique to this session.',
    examples: ['1000.s3x9k2m8q0w4e7r1t'],
  }),
  password: z.string().meta({ description: 'Returned only once.', format: 'password' }),
  domain: z.string().meta({ description: 'Realm and domain to register at.' }),
  ramal: z.string().meta({ description: 'Number of the extension.', examples: ['1000'] }),
  uri: z
    .string()
    .meta({ description: 'Address of record to register as.', examples: ['sip:1000@acme.disca.example'] }),
  expires_at: timestampText.meta({ description: 'When the credentials and the registration end.' }),
  registration_seconds: z.int().meta({ description: 'Registration interval to request, in seconds.' }),
  websocket_urls: z.array(z.string()).meta({
    description: 'WebSocket URLs, in order of preference.',
    examples: [['wss://sip.example.com/sip']],
  }),
  ice_servers: z
    .array(
      z
        .object({
          urls: z.array(z.string()),
          username: z.string(),
          credential: z.string().meta({ format: 'password' }),
        })
        .meta({ id: 'IceServer' }),
    )
    .meta({ description: 'TURN servers in the format of RTCPeerConnection; valid until `expires_at`.' }),
});

nameSchemas({ PhoneSession: phoneSession });

const present = (session: PhoneSession): z.output<typeof phoneSession> => ({
  id: session.id,
  username: session.username,
  password: session.password,
  domain: session.domain,
  ramal: session.ramal,
  uri: `sip:${session.ramal}@${session.domain}`,
  expires_at: session.expiresAt.toISOString(),
  registration_seconds: registrationSeconds,
  websocket_urls: session.websocketUrls,
  ice_servers: session.iceServers,
});

export const phoneSessionRoutes =
  (deps: PhoneSessionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/extensions/:id/phone-sessions',
      {
        config: { access: forPersons('calls:place') },
        schema: {
          tags,
          operationId: 'openPhoneSession',
          summary: 'Open a phone session',
          description:
            'Short-lived SIP credentials for a browser phone, which then does not need the `senha`. Available to an ADMIN and to the owner of the extension. A phone registers with them as with the `senha`; they expire at `expires_at`. They end immediately when the `senha`, number or owner of the extension changes, or the role or password of the user who opened them. An extension has at most 5 sessions; a new one ends the oldest.',
          'x-clauses': ['EXT-18'],
          params,
          body: emptyBody,
          response: { 200: phoneSession, 403: denied },
        },
      },
      async (request) => present(await openPhoneSession(deps, callerOf(request), idFrom(request.params.id))),
    );

    app.delete(
      '/extensions/:id/phone-sessions/:sessionId',
      {
        config: { access: forPersons('calls:place') },
        schema: {
          tags,
          operationId: 'endPhoneSession',
          summary: 'End a phone session',
          description:
            'Ends the session and its registration immediately. A phone whose registration this session replaced may register again; a newer registration is unaffected. An ended session returns 404.',
          'x-clauses': ['EXT-18'],
          params: sessionParams,
          response: { 204: nothing, 403: denied },
        },
      },
      async (request) => {
        const { id, sessionId } = request.params;
        await endPhoneSession(deps, callerOf(request), idFrom(id), sessionId);
      },
    );
  };
