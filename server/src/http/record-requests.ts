import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldNames, isRecorded, type RequestLog } from '../contexts/requests/index.ts';
import type { Clock } from '../platform/time.ts';
import { versionPrefix } from './version.ts';

/** Records requests of known callers to the API for the request log, after their response was sent. */
export function recordRequests(app: FastifyInstance, requestLog: RequestLog, clock: Clock): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const caller = request.caller ?? request.outsider;
    const ignoredFields = request.handling === 'lenient' ? request.ignoredFields : undefined;
    const status = reply.statusCode;
    if (caller && isRecorded({ method, status, ignoredFields }) && isOfApi(request))
      requestLog.note({
        account_id: caller.accountId,
        user_uuid: caller.uuid,
        token_hash: caller.tokenHash.toString('base64'),
        at: clock.now().toISOString(),
        method,
        route: routeOf(request.routeOptions.url),
        status,
        error_code: request.refusal?.code ?? null,
        invalid_fields: fieldNames(
          request.refusal?.details?.map(({ path }) => path).filter((path) => path !== ''),
        ),
        ignored_fields: fieldNames(ignoredFields),
        request_id: request.id,
        address: request.clientAddress,
        duration_ms: Math.round(reply.elapsedTime),
      });
    done();
  });
}

const isOfApi = ({ url }: FastifyRequest): boolean => url.startsWith(versionPrefix);

const routes = new Map<string, string>();

/** Returns the path as the API description spells it; null if no route matched. */
function routeOf(url: string | undefined): string | null {
  if (url === undefined) return null;
  const known = routes.get(url);
  if (known !== undefined) return known;
  const path = url.replace(versionPrefix, '').replaceAll(/:(\w+)/g, '{$1}');
  routes.set(url, path);
  return path;
}
