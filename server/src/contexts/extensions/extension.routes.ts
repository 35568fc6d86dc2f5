import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { type Fault, Refusal } from '../../platform/errors.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { emptyBody, idFrom, nothing, refused } from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins, forUsers } from '../../platform/scopes.ts';
import type { ExtensionDeps } from './add-extensions.ts';
import {
  createExtension,
  createExtensions,
  createNextExtension,
  faultsOfNew,
  refuseMalformedRows,
} from './create-extension.ts';
import {
  changedExtension,
  changeFrom,
  checkableFrom,
  extension,
  freeRamal,
  listedExtension,
  manyExtensions,
  newExtension,
  newFrom,
  nextExtension,
  nextFrom,
  presenter,
  presentOwner,
  readPresenter,
  revealedSenha,
} from './extension.schemas.ts';
import { getExtension, listExtensions, previewRamal } from './list-extensions.ts';
import { removeExtension } from './remove-extension.ts';
import { revealSenha } from './reveal-senha.ts';
import { faultsOfChange, updateExtension } from './update-extension.ts';

const tags = ['Extensions'];

const noRoom = refused('`ACCOUNT_LIMIT`: the account has as many extensions as it may have.');

const params = z.object({
  id: z.string().meta({ description: 'The extension.', 'x-refers-to': 'extension', examples: ['1'] }),
});

export const extensionRoutes =
  (deps: ExtensionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(readingRoutes(deps));
    await app.register(writingRoutes(deps));
    await app.register(bulkRoute(deps));
  };

const readingRoutes =
  (deps: ExtensionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/extensions',
      {
        config: { access: forUsers('extensions') },
        schema: {
          tags,
          operationId: 'listExtensions',
          summary: 'List extensions',
          description:
            'Always an array. `registered` and `registered_at` are the current state of the softphone. `senha` is returned to an ADMIN only, and not to console sessions, which use `POST /extensions/{id}/reveal`. Reading `senha` is recorded in the audit log, once per token and hour. `include: "user"` adds the owner of the extension.',
          'x-clauses': ['EXT-14', 'EXT-16', 'EXT-32', 'LIST-23'],
          querystring: arrayQuery,
          response: { 200: arrayOf(listedExtension, 'ExtensionRecord') },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const present = readPresenter(deps.keyRing, caller);
        const list = await listExtensions(deps, caller, request.query, present, presentOwner);
        if (list.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', list.total).send(list.items);
      },
    );

    app.get(
      '/extensions/:id',
      {
        config: { access: forUsers('extensions') },
        schema: {
          tags,
          operationId: 'getExtension',
          summary: 'Read an extension',
          'x-clauses': ['EXT-14', 'EXT-17', 'EXT-32'],
          params,
          response: { 200: extension },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const extension = await getExtension(deps, caller, idFrom(request.params.id));
        return readPresenter(deps.keyRing, caller)(extension);
      },
    );

    app.post(
      '/extensions/:id/reveal',
      {
        config: { access: afterConsoleProof(forAdmins('extensions')) },
        schema: {
          tags,
          operationId: 'revealExtensionPassword',
          summary: 'Read the SIP password of an extension',
          description: 'Recorded in the audit log.',
          'x-clauses': ['EXT-31'],
          params,
          body: emptyBody,
          response: { 200: revealedSenha },
        },
      },
      async (request) => ({ senha: await revealSenha(deps, callerOf(request), idFrom(request.params.id)) }),
    );

    app.get(
      '/extensions/next-available',
      {
        config: { access: forAdmins('extensions') },
        schema: {
          tags,
          operationId: 'previewNextExtension',
          summary: 'Preview the next free number',
          description:
            'The number that `POST` to the same path would assign now. It is not reserved: another request may take it first.',
          'x-clauses': ['EXT-20'],
          response: { 200: freeRamal },
        },
      },
      async (request) => ({ ramal: await previewRamal(deps, callerOf(request)) }),
    );
  };

const writingRoutes =
  (deps: ExtensionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/extensions',
      {
        config: {
          access: forAdmins('extensions'),
          otherFaults: (request) => faultsOfNew(deps, callerOf(request), checkableFrom(request.body)),
        },
        schema: {
          tags,
          operationId: 'createExtension',
          summary: 'Create an extension',
          description:
            'A softphone can register immediately, with the `ramal`, the `domain` of the account and the `senha`. `ramal` has 2 to 8 digits and is unique in the account; `senha` has 8 to 64 characters, differs from the `ramal` and is not a common password. `gravar_audio` accepts 0, 1, true or false and is returned as 0 or 1.',
          'x-clauses': ['EXT-12', 'EXT-13', 'EXT-14', 'EXT-15', 'EXT-22', 'AUTH-15'],
          body: newExtension,
          response: { 200: extension, 409: noRoom },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        return presenter(deps.keyRing, caller)(await createExtension(deps, caller, newFrom(request.body)));
      },
    );

    app.post(
      '/extensions/next-available',
      {
        config: {
          access: forAdmins('extensions'),
          otherFaults: (request) => {
            const { senha } = checkableFrom(request.body);
            return faultsOfNew(deps, callerOf(request), { ramal: undefined, senha });
          },
        },
        schema: {
          tags,
          operationId: 'createNextExtension',
          summary: 'Create an extension with the next free number',
          description:
            'Assigns the lowest free number from 1000 up, gaps included. Concurrent requests get different numbers.',
          'x-clauses': ['EXT-11', 'EXT-13', 'EXT-22', 'AUTH-15'],
          body: nextExtension,
          response: { 200: extension, 409: noRoom },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        return presenter(
          deps.keyRing,
          caller,
        )(await createNextExtension(deps, caller, nextFrom(request.body)));
      },
    );

    app.patch(
      '/extensions',
      {
        config: {
          access: afterConsoleProof(forAdmins('extensions'), ['senha']),
          otherFaults: (request) => {
            const { id, ...given } = checkableFrom(request.body);
            return id === undefined
              ? faultsOfNew(deps, callerOf(request), given)
              : faultsOfChange(deps, callerOf(request), idFrom(id), given);
          },
        },
        schema: {
          tags,
          operationId: 'saveExtension',
          summary: 'Update or create an extension',
          description:
            'With `id`, updates that extension: absent fields stay unchanged. Without `id`, creates one, like POST. An updated extension is returned with `senha` as `GET` returns it: not to console sessions, and recorded in the audit log.',
          'x-clauses': ['EXT-10', 'EXT-12', 'EXT-13', 'EXT-15', 'EXT-22', 'EXT-33', 'AUTH-15'],
          body: changedExtension,
          response: { 200: extension, 404: refused('No such extension in this account.') },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const { id, ...body } = request.body;
        if (id !== undefined) {
          const updated = await updateExtension(deps, caller, idFrom(id), changeFrom(body));
          return readPresenter(deps.keyRing, caller)(updated);
        }
        const created = newFrom(body as z.output<typeof newExtension>);
        return presenter(deps.keyRing, caller)(await createExtension(deps, caller, created));
      },
    );

    app.delete(
      '/extensions/:id',
      {
        config: { access: forAdmins('extensions') },
        schema: {
          tags,
          operationId: 'removeExtension',
          summary: 'Remove an extension',
          description: 'Removes an extension and its registration. Its calls stay in the call list.',
          'x-clauses': ['EXT-17'],
          params,
          response: { 204: nothing },
        },
      },
      async (request) => await removeExtension(deps, callerOf(request), idFrom(request.params.id)),
    );
  };

const bulkRoute =
  (deps: ExtensionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/extensions/bulk',
      {
        config: { access: forAdmins('extensions') },
        // Malformed rows are reported together with the other errors of the rows.
        attachValidation: true,
        schema: {
          tags,
          operationId: 'createExtensions',
          summary: 'Create many extensions',
          description:
            'All or none: if any row is invalid none is created, and `details` lists every error by row, as in `extensions.3.ramal`; up to 2,000 of them. With `dryRun` true the rows are only validated: invalid rows return the same errors, valid ones an empty array.',
          'x-clauses': ['EXT-19', 'EXT-21', 'EXT-22'],
          body: manyExtensions,
          response: { 200: z.array(extension), 409: noRoom },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const faults = faultsOfForm(request.validationError);
        if (faults.length > 0) await refuseMalformedRows(deps, caller, request.body.extensions, faults);
        const { extensions, dryRun: isDryRun = false } = request.body;
        const created = await createExtensions(deps, caller, extensions.map(newFrom), { isDryRun });
        return created.map(presenter(deps.keyRing, caller));
      },
    );
  };

/** Returns the errors of rows; throws any other validation error. */
function faultsOfForm(error: Error | undefined): Fault[] {
  if (!error) return [];
  const details = error instanceof Refusal ? (error.details ?? []) : [];
  if (details.length === 0 || !details.every(({ path }) => /^extensions\.\d/.test(path))) throw error;
  return details;
}
