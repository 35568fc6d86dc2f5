import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isConsoleRequest } from '../access.ts';
import { versionPrefix } from '../version.ts';
import { appliedPreference, chooseHandling } from './choose-handling.ts';
import { fitBody } from './fit-body.ts';
import { fitQuery } from './fit-query.ts';
import { nameIgnored } from './name-ignored.ts';
import { readPreference } from './read-preference.ts';

export function declareHandling(app: FastifyInstance): void {
  app.decorateRequest('handling', 'strict');
  app.decorateRequest('ignoredFields');
  app.addHook('onRequest', async (request) => {
    request.ignoredFields = [];
  });
}

/** Chooses the handling of a request whose caller is known. */
export function decideHandling(request: FastifyRequest): void {
  if (!isApi(request)) return;
  request.handling = chooseHandling({
    preferred: readPreference(request.headers.prefer),
    ofAccount: request.caller?.requestHandling,
    isConsole: isConsoleRequest(request),
  });
}

/** Fits body and query to the schemas of the route, which then validate them. */
export function fitRequest(request: FastifyRequest): void {
  if (!isApi(request)) return;
  const { schema } = request.routeOptions;
  const { handling, method } = request;
  if (schema?.body) {
    const fitted = fitBody(schema.body, request.body, { method, handling });
    request.body = fitted.body;
    request.ignoredFields.push(...fitted.ignored);
  }
  if (schema?.querystring && handling === 'lenient') {
    const fitted = fitQuery(schema.querystring, request.query as object);
    request.query = fitted.query;
    request.ignoredFields.push(...fitted.ignored);
  }
}

export function handlingHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (!isApi(request)) return;
  const applied = appliedPreference(request.handling, readPreference(request.headers.prefer));
  if (applied) reply.header('Preference-Applied', applied);
  if (request.ignoredFields.length > 0) reply.header('Disca-Ignored', nameIgnored(request.ignoredFields));
}

const isApi = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith(versionPrefix) ?? false;
