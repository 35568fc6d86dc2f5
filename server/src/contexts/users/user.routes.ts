import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import {
  emailText,
  firstPassword,
  localeText,
  nameText,
  nothing,
  pathUuid,
  phoneText,
  refused,
  requestBody,
  timestampText,
  validField,
} from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins, forPersons, forUsers } from '../../platform/scopes.ts';
import { type CreateUserDeps, createUser, faultsOfNewUser } from './create-user.ts';
import { invitationRoutes } from './invitations/invitation.routes.ts';
import { listUsers } from './list-users.ts';
import { removeUser } from './remove-user.ts';
import { type UndoEmailDeps, undoEmail } from './undo-email.ts';
import { faultsOfUserChange, type UpdateUserDeps, updateUser } from './update-user.ts';
import { roleText } from './user.schemas.ts';
import type { User } from './user.ts';

type UserRouteDeps = CreateUserDeps & UpdateUserDeps & UndoEmailDeps;

const tags = ['Users'];
const user = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: roleText,
  emailVerified: z.boolean(),
  createdAt: timestampText,
  updatedAt: timestampText,
  lastLoginAt: timestampText.nullable().meta({ description: 'Null before the first login.' }),
});
const userWithLocale = user.extend({ locale: localeText });

nameSchemas({ User: user, UserDetails: userWithLocale });
const readOnly = ['createdAt', 'updatedAt', 'lastLoginAt'];

type Shown = Pick<
  User,
  'uuid' | 'name' | 'email' | 'phone' | 'role' | 'emailVerified' | 'createdAt' | 'updatedAt' | 'lastLoginAt'
>;

const present = (shown: Shown): z.output<typeof user> => ({
  uuid: shown.uuid,
  name: shown.name,
  email: shown.email,
  phone: shown.phone,
  role: shown.role,
  emailVerified: shown.emailVerified,
  createdAt: shown.createdAt.toISOString(),
  updatedAt: shown.updatedAt.toISOString(),
  lastLoginAt: shown.lastLoginAt?.toISOString() ?? null,
});

const presentWithLocale = (shown: User): z.output<typeof userWithLocale> => ({
  ...present(shown),
  locale: shown.locale,
});

export const userRoutes =
  (deps: UserRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(invitationRoutes(deps));

    app.get(
      '/users/me',
      {
        config: { access: forPersons('any') },
        schema: {
          tags,
          operationId: 'getCurrentUser',
          summary: 'Read the current user',
          response: { 200: user },
        },
      },
      async (request) => present(callerOf(request)),
    );

    app.get(
      '/users',
      {
        config: { access: forUsers('users') },
        schema: {
          tags,
          operationId: 'listUsers',
          summary: 'List users',
          description: 'Always an array.',
          'x-clauses': ['USER-04'],
          querystring: arrayQuery,
          response: { 200: arrayOf(userWithLocale, 'UserRecord') },
        },
      },
      async (request, reply) => {
        const users = await listUsers(deps, callerOf(request), request.query, presentWithLocale);
        if (users.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', users.total).send(users.items);
      },
    );

    app.post(
      '/users',
      {
        config: {
          access: afterConsoleProof(forAdmins('users')),
          otherFaults: (request) =>
            faultsOfNewUser(deps, callerOf(request), validField(request.body, 'email', emailText)),
        },
        schema: {
          tags,
          operationId: 'createUser',
          summary: 'Create a user',
          description:
            "The user can log in immediately and receives an e-mail to confirm the address. The user becomes the owner of extensions with the same e-mail and no owner. `locale` defaults to the caller's. An open invitation of the e-mail becomes this user, and its link no longer works.",
          'x-clauses': ['AUTH-14', 'INVITE-06', 'INVITE-08', 'LIMIT-24', 'USER-19', 'USER-20', 'USER-23'],
          body: requestBody(
            {
              name: nameText,
              email: emailText,
              password: firstPassword,
              phone: phoneText,
              role: roleText,
              locale: localeText.optional(),
            },
            ['uuid', 'emailVerified', ...readOnly],
          ).meta({ id: 'NewUser' }),
          response: {
            200: user.pick({ name: true, email: true, phone: true, role: true }).meta({ id: 'CreatedUser' }),
            409: refused(
              '`ACCOUNT_LIMIT`: the account has as many users and open invitations as it may have, or has sent as many mails today.',
            ),
          },
        },
      },
      async (request) => {
        const { name, email, phone, role: given } = await createUser(deps, callerOf(request), request.body);
        return { name, email, phone, role: given };
      },
    );

    app.patch(
      '/users',
      {
        config: {
          access: afterConsoleProof(forUsers('users'), ['email', 'emailVerified', 'role']),
          otherFaults: (request) =>
            faultsOfUserChange(deps, callerOf(request), {
              uuid: validField(request.body, 'uuid', z.string()),
              email: validField(request.body, 'email', emailText),
            }),
        },
        schema: {
          tags,
          operationId: 'updateUser',
          summary: 'Update a user',
          description:
            'Updates the caller, or for an ADMIN the user with `uuid`. Only an ADMIN may change `role` and `emailVerified`. A changed e-mail is unverified until it is confirmed by the link sent to it. The old address is notified, still logs in for 72 hours, and can undo the change for as long if it was verified. An e-mail that an ADMIN sends links the extensions that have it and no owner; a USER’s own change never does. A change of role revokes the tokens of that user. The last ADMIN cannot be demoted.',
          'x-clauses': [
            'USER-12',
            'USER-13',
            'USER-14',
            'USER-15',
            'USER-16',
            'USER-20',
            'USER-21',
            'USER-24',
            'AUTH-13',
            'AUTH-14',
          ],
          body: requestBody(
            {
              uuid: z
                .string()
                .optional()
                .meta({ description: 'The user to update; defaults to the caller.', 'x-refers-to': 'user' }),
              name: nameText.optional(),
              email: emailText.optional(),
              phone: phoneText.optional(),
              role: roleText.optional(),
              emailVerified: z
                .boolean()
                .optional()
                .meta({ examples: [true] }),
              locale: localeText.optional(),
            },
            readOnly,
          ).meta({ id: 'UserChange' }),
          response: {
            200: userWithLocale,
            404: refused('No such user in this account.'),
            409: refused(
              '`LAST_ADMIN`: an account needs at least one ADMIN; or `ACCOUNT_LIMIT`: the account has sent as many mails as it may today.',
            ),
          },
        },
      },
      async (request) => presentWithLocale(await updateUser(deps, callerOf(request), request.body)),
    );

    app.post(
      '/users/undo-email',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'undoEmail',
          summary: 'Undo a change of e-mail',
          description:
            'Gives the user the verified address back that received the link, and ends the logins of the user; created tokens stay. The link is valid for 72 hours and for one use; otherwise the response is 422.',
          'x-clauses': ['USER-25', 'USER-26'],
          body: requestBody({
            token: z
              .string()
              .min(1)
              .max(1000)
              .meta({ description: 'The token from the e-mailed link.', 'x-refers-to': 'undo-token' }),
          }).meta({ id: 'EmailUndo' }),
          response: { 204: nothing },
        },
      },
      async (request) => await undoEmail(deps, request.body.token, request.origin),
    );

    app.delete(
      '/users/:uuid',
      {
        config: { access: afterConsoleProof(forAdmins('users')) },
        schema: {
          tags,
          operationId: 'removeUser',
          summary: 'Remove a user',
          description: "Revokes the user's tokens. The last ADMIN cannot be removed.",
          'x-clauses': ['USER-16', 'USER-17', 'FACTOR-16'],
          params: z.object({ uuid: pathUuid('The user to remove.', 'user') }),
          response: { 204: nothing, 409: refused('`LAST_ADMIN`: an account needs at least one ADMIN.') },
        },
      },
      async (request) => await removeUser(deps, callerOf(request), request.params.uuid),
    );
  };
