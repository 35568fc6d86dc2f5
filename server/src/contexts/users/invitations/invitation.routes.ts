import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../../platform/list-schemas.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import {
  emailText,
  emptyBody,
  localeText,
  nameText,
  nothing,
  passwordText,
  pathUuid,
  phoneText,
  refused,
  requestBody,
  timestampText,
  validField,
} from '../../../platform/schemas.ts';
import { afterConsoleProof, forAdmins } from '../../../platform/scopes.ts';
import { roleText } from '../user.schemas.ts';
import { type AcceptDeps, acceptInvitation, openInvitation } from './accept-invitation.ts';
import type { Invitation } from './invitation.ts';
import {
  faultsOfInvitation,
  type InviteDeps,
  inviteUser,
  resendInvitation,
  revokeInvitation,
} from './invite-user.ts';
import { listInvitations } from './list-invitations.ts';

const tags = ['Users'];
const path = '/users/invitations';

const invitation = z.object({
  uuid: z.uuid().meta({ description: 'Also the uuid of the user, after the invitation was accepted.' }),
  email: z.string(),
  name: z.string().meta({ description: 'Empty if the person enters it.' }),
  phone: z.string().meta({ description: 'Empty if it is not known.' }),
  role: roleText,
  locale: localeText,
  createdAt: timestampText,
  expiresAt: timestampText.meta({ description: 'The link works until then; a resent one for longer.' }),
});

nameSchemas({ Invitation: invitation });

const present = (shown: Invitation): z.output<typeof invitation> => ({
  uuid: shown.uuid,
  email: shown.email,
  name: shown.name,
  phone: shown.phone,
  role: shown.role,
  locale: shown.locale,
  createdAt: shown.createdAt.toISOString(),
  expiresAt: shown.expiresAt.toISOString(),
});

const token = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: 'The token from the e-mailed link.', 'x-refers-to': 'invitation-token' });

const params = z.object({ uuid: pathUuid('The invitation.', 'invitation') });

const mailLimit = '`ACCOUNT_LIMIT`: the account has sent as many mails as it may today.';

/** Invitations by e-mail, instead of passwords that an ADMIN chooses. */
export const invitationRoutes =
  (deps: InviteDeps & AcceptDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(acceptingRoutes(deps));

    app.post(
      path,
      {
        config: {
          access: afterConsoleProof(forAdmins('users')),
          otherFaults: (request) =>
            faultsOfInvitation(deps, callerOf(request), validField(request.body, 'email', emailText)),
        },
        schema: {
          tags,
          operationId: 'inviteUser',
          summary: 'Invite a user',
          description:
            "E-mails a link that is valid for 72 hours. On its page the person enters a name and a password and becomes a user of the account, with a confirmed address. The user becomes the owner of extensions with the same e-mail and no owner. `locale` defaults to the caller's. Open invitations count as users.",
          'x-clauses': ['INVITE-01', 'INVITE-02', 'INVITE-06', 'INVITE-07', 'LIMIT-24', 'SIGNUP-22'],
          body: requestBody(
            {
              email: emailText,
              role: roleText,
              name: nameText.optional(),
              phone: phoneText.optional(),
              locale: localeText.optional(),
            },
            ['uuid', 'createdAt', 'expiresAt'],
          ).meta({ id: 'NewInvitation' }),
          response: {
            200: invitation,
            403: refused(
              '`ACCESS_DENIED`, or `ADDRESS_UNPROVEN`: no ADMIN who has the address of the account has logged in on the page of the confirmation link yet.',
            ),
            409: refused(
              '`ACCOUNT_LIMIT`: the account has as many users and open invitations as it may have, or has sent as many mails today.',
            ),
          },
        },
      },
      async (request) => present(await inviteUser(deps, callerOf(request), request.body)),
    );

    app.get(
      path,
      {
        config: { access: forAdmins('users') },
        schema: {
          tags,
          operationId: 'listInvitations',
          summary: 'List open invitations',
          description:
            'Invitations that were not accepted. Expired ones can be sent again for 30 days, and are deleted then.',
          'x-clauses': ['INVITE-04'],
          querystring: arrayQuery,
          response: { 200: arrayOf(invitation, 'InvitationRecord') },
        },
      },
      async (request, reply) => {
        const list = await listInvitations(deps, callerOf(request), request.query, present);
        if (list.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', list.total).send(list.items);
      },
    );

    app.post(
      `${path}/:uuid/resend`,
      {
        config: { access: forAdmins('users') },
        schema: {
          tags,
          operationId: 'resendInvitation',
          summary: 'Resend an invitation',
          description: 'E-mails a new link that is valid for 72 hours.',
          'x-clauses': ['INVITE-04', 'INVITE-07'],
          params,
          body: emptyBody,
          response: { 200: invitation, 409: refused(mailLimit) },
        },
      },
      async (request) => present(await resendInvitation(deps, callerOf(request), request.params.uuid)),
    );

    app.delete(
      `${path}/:uuid`,
      {
        config: { access: forAdmins('users') },
        schema: {
          tags,
          operationId: 'revokeInvitation',
          summary: 'Revoke an invitation',
          description: 'Its links no longer work.',
          'x-clauses': ['INVITE-05', 'INVITE-07'],
          params,
          response: { 204: nothing },
        },
      },
      async (request) => await revokeInvitation(deps, callerOf(request), request.params.uuid),
    );
  };

/** Routes of the page that the mailed link opens. */
const acceptingRoutes =
  (deps: AcceptDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      `${path}/open`,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'openInvitation',
          summary: 'Read an invitation by its link',
          description:
            'For the page that the link opens; changes nothing. An invalid, expired, revoked or used token returns 422.',
          'x-clauses': ['INVITE-03'],
          body: requestBody({ token }).meta({ id: 'InvitationLink' }),
          response: {
            200: invitation
              .pick({ email: true, name: true, locale: true })
              .extend({
                companyName: z.string().meta({ examples: ['Padaria Central'] }),
                inviterName: z
                  .string()
                  .nullable()
                  .meta({
                    description: 'Null if a service token sent the invitation.',
                    examples: ['Ana Souza'],
                  }),
              })
              .meta({ id: 'OpenedInvitation' }),
          },
        },
      },
      async (request) => await openInvitation(deps, request.body.token),
    );

    app.post(
      `${path}/accept`,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'acceptInvitation',
          summary: 'Accept an invitation',
          description:
            'Creates the user, who can log in with the invited e-mail and this password. The link works once; otherwise the response is 422.',
          'x-clauses': ['INVITE-02', 'INVITE-03', 'INVITE-07', 'USER-23'],
          body: requestBody({ token, name: nameText, password: passwordText }).meta({ id: 'Acceptance' }),
          response: {
            204: nothing,
            409: refused('`ACCOUNT_LIMIT`: the account has as many users as it may have.'),
          },
        },
      },
      async (request) => await acceptInvitation(deps, request.body, request.origin),
    );
  };
