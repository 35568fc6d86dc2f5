import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { pageHeaders, pageOf } from '../../../platform/list-schemas.ts';
import { nothing, pathUuid, refused, requestBody } from '../../../platform/schemas.ts';
import { forAdmins, forUsers } from '../../../platform/scopes.ts';
import {
  contact,
  contactImport,
  contactShape,
  contactsQuery,
  importResult,
  lookedUpNumber,
  presentContact,
  presentResult,
} from './contact.schemas.ts';
import type { ContactDeps } from './contact.ts';
import { importContacts } from './import-contacts.ts';
import { listContacts } from './list-contacts.ts';
import { lookUpContact, readContact } from './read-contact.ts';
import { removeContact, saveContact } from './save-contact.ts';

const tags = ['Contacts'];
const params = z.object({ id: pathUuid('The contact.', 'contact') });
const readOnly = ['id', 'source', 'createdAt', 'updatedAt'];
const noRoom = refused('`ACCOUNT_LIMIT`: the account has as many contacts as it may.');

export const contactRoutes =
  (deps: ContactDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(readingRoutes(deps));
    await app.register(writingRoutes(deps));
  };

const readingRoutes =
  (deps: ContactDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/contacts',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'listContacts',
          summary: 'List contacts',
          description:
            'By name without case and accents, those without a name last, or those that match `q`. A USER who sees own calls sees the contacts of the numbers in them, everyone else all contacts of the account. The calls of a contact are found with `GET /calls/search?q=` and its number.',
          'x-clauses': ['CONTACT-02', 'CONTACT-03', 'CONTACT-11', 'CONTACT-15', 'CONTACT-16'],
          querystring: contactsQuery,
          response: { 200: pageOf(contact, 'ContactRecord') },
        },
      },
      async (request, reply) => {
        const page = await listContacts(deps, callerOf(request), request.query, presentContact);
        const { nextCursor } = page.meta;
        return reply.headers(pageHeaders(request.url, { isEstimated: false, nextCursor })).send(page);
      },
    );

    app.get(
      '/contacts/lookup',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'lookUpContact',
          summary: 'Look up the contact of a number',
          description:
            'For example when a call comes in. `contact` is null if the number has no contact that the caller sees, or is no telephone number.',
          'x-clauses': ['CONTACT-03', 'CONTACT-04', 'CONTACT-14'],
          querystring: z.strictObject({ number: lookedUpNumber }),
          response: { 200: z.object({ contact: contact.nullable() }).meta({ id: 'ContactLookup' }) },
        },
      },
      async (request) => {
        const found = await lookUpContact(deps, callerOf(request), request.query.number);
        return { contact: found ? presentContact(found) : null };
      },
    );

    app.get(
      '/contacts/:id',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'getContact',
          summary: 'Read a contact',
          'x-clauses': ['CONTACT-03'],
          params,
          response: { 200: contact },
        },
      },
      async (request) => presentContact(await readContact(deps, callerOf(request), request.params.id)),
    );
  };

const writingRoutes =
  (deps: ContactDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/contacts',
      {
        config: { access: forUsers('calls:place') },
        schema: {
          tags,
          operationId: 'saveContact',
          summary: 'Save a contact',
          description:
            'Creates the contact of the number, or replaces its name and deal; one of them is required. Metadata of calls no longer changes it. A USER who sees own calls saves contacts of the numbers in them.',
          'x-clauses': ['CONTACT-01', 'CONTACT-05', 'CONTACT-08', 'CONTACT-13'],
          body: requestBody(contactShape, readOnly).meta({ id: 'NewContact' }),
          response: {
            200: contact,
            403: refused('`ACCESS_DENIED`: the USER has had no call with the number.'),
            409: noRoom,
          },
        },
      },
      async (request) => presentContact(await saveContact(deps, callerOf(request), request.body)),
    );

    app.post(
      '/contacts/import',
      {
        config: { access: forAdmins('calls:place') },
        schema: {
          tags,
          operationId: 'importContacts',
          summary: 'Import contacts',
          description:
            'Saves the valid rows, at most 500 in a body of at most 64 kB, and reports every row in the order of the request. With `dryRun` true nothing is saved. A row replaces name and deal of the contact with its number.',
          'x-clauses': ['CONTACT-06', 'CONTACT-08', 'CONTACT-12'],
          body: contactImport,
          response: { 200: importResult, 409: noRoom },
        },
      },
      async (request) => {
        const { contacts, dryRun: isDryRun = false } = request.body;
        const results = await importContacts(deps, callerOf(request), contacts, { isDryRun });
        return { results: results.map(presentResult) };
      },
    );

    app.delete(
      '/contacts/:id',
      {
        config: { access: forAdmins('calls:place') },
        schema: {
          tags,
          operationId: 'removeContact',
          summary: 'Remove a contact',
          description:
            'The calls stay. The next call to the number with a name or deal in its metadata creates a contact again.',
          'x-clauses': ['CONTACT-05'],
          params,
          response: { 204: nothing },
        },
      },
      async (request) => await removeContact(deps, callerOf(request), request.params.id),
    );
  };
