import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { csvFormat } from '../../../platform/csv.ts';
import {
  pageHeaders,
  pageOf,
  pageQuery,
  searchedFilterQuery,
  searchQuery,
} from '../../../platform/list-schemas.ts';
import { pathUuid, refused } from '../../../platform/schemas.ts';
import { forUsers } from '../../../platform/scopes.ts';
import { callSummaryRoutes } from '../summary/call-summary.routes.ts';
import { openedCall } from './call-details.ts';
import { callRecord, includedRecord } from './call-record.ts';
import { type ExportDeps, exportCalls } from './export-calls.ts';
import { createExportSlots } from './export-slots.ts';
import { listCalls, searchCalls } from './list-calls.ts';
import { readCall } from './read-call.ts';

const tags = ['Calls'];

const filters =
  'Filters accept every field of the record; `date` is `started_at`, `phone` is `to` and `extension` is `from`. `metadata.<key>` compares one value, `metadata: {…}` finds the calls whose metadata contains it, and `record_url: {"exists": true}` those with a recording; `tags` compares each tag. `order` accepts `started_at` and `id`';
const orders = `${filters}, and within a range of \`started_at\` of at most 31 days also \`duration\` and \`call_price\`.`;

const searchClauses = [
  'SEARCH-01',
  'SEARCH-02',
  'SEARCH-03',
  'SEARCH-04',
  'SEARCH-05',
  'SEARCH-06',
  'LIST-25',
];

const callPage = pageOf(includedRecord, 'CallRecord');
const exportQuery = searchedFilterQuery.extend({
  format: csvFormat.meta({
    description:
      "`standard`, the default, or `excel-br` for spreadsheets with Brazilian settings: separated by semicolons, with a byte order mark, decimal commas, times in the account's time zone, and titles and causes in Portuguese.",
    examples: ['excel-br'],
  }),
  links: z
    .enum(['signed', 'console'])
    .optional()
    .meta({
      description:
        '`signed`, the default of `standard`: `record_url` is the link of the record, which expires after 15 minutes. `console`, the default of `excel-br`: the address of the call in the console, which asks for a login and works as long as the recording is kept.',
      examples: ['console'],
    }),
});
const csvFile = z.string().meta({ 'x-columns': Object.keys(callRecord.shape) });

export const callListRoutes =
  (deps: ExportDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const exportSlots = createExportSlots();
    await app.register(callSummaryRoutes(deps));

    app.get(
      '/calls',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'listCalls',
          summary: 'List calls',
          description: `The calls that the caller sees, newest first, including running calls: their \`ended_at\` is null and their \`status\` is current. A page has 100 items. \`Link\` contains the next page by \`cursor\`, which is equally fast at any depth. ${orders} \`include\` accepts \`price\` and \`timeline\`.`,
          'x-clauses': [
            'CALL-03',
            'CALL-09',
            'CALL-10',
            'CALL-35',
            'CALL-42',
            'LIST-03',
            'LIST-06',
            'LIST-07',
            'LIST-18',
            'LIST-19',
            'LIST-21',
            'LIST-22',
            'LIST-23',
            'LIST-25',
            'CALL-50',
            'CALL-51',
            'PERM-04',
            'PERM-05',
            'NOTE-05',
            'QUALITY-05',
            'QUALITY-07',
          ],
          querystring: pageQuery,
          response: { 200: callPage },
        },
      },
      async (request, reply) => {
        const page = await listCalls(deps, callerOf(request), request.query);
        return reply.headers(pageHeaders(request.url, page)).send(page);
      },
    );

    app.get(
      '/calls/search',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'searchCalls',
          summary: 'Search calls',
          description: `Finds calls by words (\`q\`), by the filter of \`GET /calls\`, or by both, with up to 500 items per page (\`filter.limit\`), by \`cursor\` only and without totals. New calls are found by their words within 5 seconds. A search for frequent words may return a page with fewer items than \`filter.limit\`, or none, and \`nextCursor\`: request the next page until there is no \`nextCursor\`. With \`q\`, calls are ordered by \`started_at\` or \`id\` only and \`offset\` is not supported. ${orders}`,
          'x-clauses': ['CALL-41', 'PERM-04', ...searchClauses],
          querystring: searchQuery,
          response: { 200: callPage },
        },
      },
      async (request, reply) => {
        const { data, meta } = await searchCalls(deps, callerOf(request), request.query);
        reply.headers(pageHeaders(request.url, { isEstimated: false, nextCursor: meta.nextCursor }));
        return { data, meta };
      },
    );

    app.get(
      '/calls/export',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'exportCalls',
          summary: 'Export calls as CSV',
          description: `All calls that match a filter and words (\`q\`, as in \`GET /calls/search\`) in one file, UTF-8 by RFC 4180, with a header row; \`metadata\` and \`tags\` are JSON, and text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. \`fields\` selects the columns and \`limit\`, at most 10,000,000, the number of calls; \`include\` is not supported. If the export fails part-way, the connection is aborted, so an incomplete file is never mistaken for a complete one. A user runs one export at a time. ${filters}.`,
          'x-clauses': [
            'CALL-41',
            'CALL-57',
            'CALL-68',
            'CALL-69',
            'CALL-89',
            'LIMIT-24',
            'PERM-04',
            'NOTE-05',
          ],
          querystring: exportQuery,
          response: {
            200: { description: 'The file.', content: { 'text/csv': { schema: csvFile } } },
            409: refused('`ACCOUNT_LIMIT`: the account has as many exports running as it may have.'),
            429: refused('`CAPACITY_EXCEEDED`: an export of the user is running; or `RATE_LIMITED`.'),
          },
        },
      },
      async (request, reply) => {
        const file = await exportCalls(deps, exportSlots, callerOf(request), request.query);
        return reply
          .type('text/csv; charset=utf-8')
          .header('Content-Disposition', 'attachment; filename="calls.csv"')
          .send(file as never);
      },
    );

    app.get(
      '/calls/:id',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'getCall',
          summary: 'Read a call',
          description:
            'The call with its timeline, who requested it, the number it presents, its recording, who changed its note, the contact of its number and the quality of its audio per leg. If no audio arrives from a party of an answered call, or audio that cannot be decoded, the timeline has `audio_missing` within 5 s, and `audio_returned` when it arrives again.',
          'x-clauses': [
            'AUDIO-10',
            'AUDIO-11',
            'AUDIO-12',
            'AUDIO-13',
            'AUDIO-14',
            'AUDIO-16',
            'AUDIO-17',
            'AUDIO-18',
            'CALL-11',
            'CALL-28',
            'CALL-45',
            'CALL-50',
            'CALL-52',
            'CALL-65',
            'PERM-04',
            'NOTE-02',
            'CONTACT-10',
            'QUALITY-01',
            'QUALITY-02',
            'QUALITY-03',
            'QUALITY-04',
            'QUALITY-06',
            'QUALITY-07',
          ],
          params: z.object({ id: pathUuid('The call.', 'call') }),
          response: { 200: openedCall },
        },
      },
      async (request) => await readCall(deps, callerOf(request), request.params.id),
    );
  };
