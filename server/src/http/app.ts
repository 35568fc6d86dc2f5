import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import './augment.ts';
import type { AuthenticateDeps } from '../contexts/access/index.ts';
import { clientAddress, type RequestBudgets, type RequestLimiter } from '../contexts/limits/index.ts';
import type { RequestLog } from '../contexts/requests/index.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { identify, refuseForbidden, refuseUnauthenticated, requireDeclaredAccess } from './access.ts';
import { readBracketFilters } from './bracket-filters.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { compressResponses } from './compression.ts';
import { type ConsoleDeps, type ConsolePages, openConsole, serveConsoleFiles } from './console.ts';
import { answerErrors } from './errors.ts';
import { decideHandling, declareHandling, fitRequest, handlingHeaders } from './handling/handle-requests.ts';
import { readJsonOnly } from './json.ts';
import { serveManual } from './manual.ts';
import { describeApi } from './openapi/describe-api.ts';
import { reportOtherFaults } from './other-faults.ts';
import { createRateLimit, limitHeaders } from './rate-limit.ts';
import { recordRequests } from './record-requests.ts';
import { serveReference } from './reference.ts';
import { logRequests, type RequestObserver } from './request-log.ts';
import { pages, type RouteDeps, routes } from './routes.ts';
import { collectApiPaths } from './routing/api-paths.ts';
import { type CrossOrigin, createCrossOrigin } from './routing/cors.ts';
import { endStreamsOfHead } from './routing/head.ts';
import { rewriteUrl } from './routing/rewrite-url.ts';
import {
  refuseUndeclaredQueries,
  respondWithoutBody,
  serializerCompiler,
  validatorCompiler,
} from './validation.ts';
import { versionPrefix } from './version.ts';

export interface AppDeps extends RouteDeps, AuthenticateDeps, ConsoleDeps {
  log: Logger;
  limiter: RequestLimiter;
  requestBudgets: RequestBudgets;
  observeRequest: RequestObserver;
  /** Undefined if the operator switched it off. */
  requestLog: RequestLog | undefined;
  trustedProxies: string[];
  /** Directory of the built manual; optional. */
  manualDir: string;
  version: string;
  /** True once the process has received a signal to stop. */
  isStopping?: () => boolean;
}

/** A long id is answered 404 like any unknown one; the header size limit bounds its length. */
const maxParamLength = 16 * 1024;

/** One year: browsers use HTTPS only for our host, not for its subdomains, which others may run. */
const strictTransport = 'max-age=31536000';

/** Builds the API without listening, so that tests can inject requests. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app: FastifyInstance = Fastify({
    loggerInstance,
    // request-log.ts writes one line per request instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: deps.trustedProxies.length > 0 ? deps.trustedProxies : false,
    bodyLimit: 64 * 1024,
    exposeHeadRoutes: true,
    clientErrorHandler: answerBrokenRequest,
    // On shutdown, requests on open connections are finished and idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: 30_000,
    rewriteUrl,
    routerOptions: { maxParamLength },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  readJsonOnly(app);
  const consolePages = openConsole(deps);
  const paths = collectApiPaths(app, maxParamLength);
  answerErrors(app, paths, consolePages);
  requireDeclaredAccess(app);
  reportOtherFaults(app, deps.limiter);
  refuseUndeclaredQueries(app);
  respondWithoutBody(app);
  checkInOrder(app, deps, createCrossOrigin(paths), consolePages);
  endStreamsOfHead(app);
  readBracketFilters(app);
  closeConnectionsWhenStopping(app, deps.isStopping);
  logRequests(app, deps.observeRequest);
  await compressResponses(app);
  if (deps.requestLog) recordRequests(app, deps.requestLog, deps.clock);
  await describeApi(app, { publicUrl: deps.publicUrl, version: deps.version });
  await app.register(routes(deps), { prefix: versionPrefix });
  await app.register(pages(deps));
  await serveReference(app, deps.publicUrl);
  await serveManual(app, deps.manualDir);
  if (consolePages) await serveConsoleFiles(app, deps.consoleDir);
  return app;
}

/**
 * Checks in the order that clients rely on: address limit, body, token, user limit, requests of the account, role, scope;
 * then schema and rules.
 */
function checkInOrder(
  app: FastifyInstance,
  deps: AppDeps,
  crossOrigin: CrossOrigin,
  pages?: ConsolePages,
): void {
  const rateLimit = createRateLimit(
    deps.limiter,
    (request) => pages?.isPage(request) || crossOrigin.isPreflight(request),
  );
  app.decorateRequest('caller', undefined);
  app.decorateRequest('outsider', undefined);
  app.decorateRequest('usage', undefined);
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('origin');
  declareHandling(app);
  const isHttps = deps.publicUrl.startsWith('https:');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    // Browsers then never send a request over plain HTTP, which a proxy in between could answer.
    if (isHttps) reply.header('Strict-Transport-Security', strictTransport);
    // Responses are personal: not cached, and not sniffed for another content type.
    reply.header('Cache-Control', 'no-store');
    reply.header('X-Content-Type-Options', 'nosniff');
    request.clientAddress = clientAddress(request.ip);
    request.origin = { address: request.clientAddress, requestId: request.id };
    crossOrigin.allow(request, reply);
    if (crossOrigin.isPreflight(request)) return reply.code(204).send();
    await rateLimit.countAddress(request);
    await identify(deps, request);
    decideHandling(request);
    await rateLimit.countCaller(request);
  });
  app.addHook('preValidation', async (request) => {
    refuseUnauthenticated(request);
    await rateLimit.countExtension(request);
    rateLimit.refuseExceeded(request);
    if (request.caller) await deps.requestBudgets.count(request.caller.accountId);
    refuseForbidden(request, deps.clock.now());
    fitRequest(request);
  });
  app.addHook('onSend', async (request, reply) => {
    await rateLimit.settle(request, reply);
    limitHeaders(reply, request.usage);
    handlingHeaders(request, reply);
  });
}

/** Closes connections while stopping: a client that reused one would lose its next request. */
function closeConnectionsWhenStopping(app: FastifyInstance, isStopping = () => false): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing || isStopping()) reply.header('Connection', 'close');
    done();
  });
}

const acceptableId = /^[\w.-]{8,64}$/;

/** Uses the client's own request id, if it is acceptable, so that both sides log the same one. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
}
