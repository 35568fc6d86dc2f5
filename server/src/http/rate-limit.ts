import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  anonymousLimit,
  type Limit,
  limitsOf,
  type RequestLimiter,
  type Usage,
} from '../contexts/limits/index.ts';
import { Refusal } from '../platform/errors.ts';
import { versionPrefix } from './version.ts';

export interface RateLimit {
  /** Counts what is limited by address and refuses what is over, before anything else is done for the request. */
  countAddress(request: FastifyRequest): Promise<void>;
  /** Counts what is limited by user; a request nobody stands behind counts against its address instead. */
  countCaller(request: FastifyRequest): Promise<void>;
  /** Counts what is limited by the extension that the body names, so only once it was read. */
  countExtension(request: FastifyRequest): Promise<void>;
  /** Refuses what was found over its limit by user or extension. */
  refuseExceeded(request: FastifyRequest): void;
  /** Takes back what only counts when it succeeds. */
  settle(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Pages are static files under paths that are no route: they are not limited. */
export function createRateLimit(
  limiter: RequestLimiter,
  isPage: (request: FastifyRequest) => boolean,
): RateLimit {
  const limitsOfRequest = memoizeByRoute(isPage);

  async function count(request: FastifyRequest, limit: Limit, key: string): Promise<Usage> {
    const usage = await limiter.count(limit, key);
    // With several limits the headers tell the first, which is the one-minute one, unless another refuses.
    if (!request.usage || usage.exceeded) request.usage = usage;
    return usage;
  }

  async function countExtension(request: FastifyRequest): Promise<void> {
    for (const limit of limitsOfRequest(request)) {
      if (limit.by === 'extension' && request.caller)
        await count(request, limit, `${request.caller.userId}${extensionOf(request.body)}`);
    }
  }

  /** A request that failed before its turn came, by its body or by us, is told its limit all the same. */
  async function countUnread(request: FastifyRequest): Promise<void> {
    if (request.caller) await countExtension(request);
    else if (limitsOfRequest(request).length > 0) await count(request, anonymousLimit, request.clientAddress);
  }

  return {
    async countAddress(request) {
      for (const limit of limitsOfRequest(request)) {
        if (limit.by === 'address' && (await count(request, limit, request.clientAddress)).exceeded)
          throw tooMany(request);
      }
    },
    async countCaller(request) {
      for (const limit of limitsOfRequest(request)) {
        if (limit.by === 'address') continue;
        if (!request.caller) {
          if ((await count(request, anonymousLimit, request.clientAddress)).exceeded) throw tooMany(request);
        } else if (limit.by === 'user') await count(request, limit, String(request.caller.userId));
      }
    },
    countExtension,
    refuseExceeded(request) {
      if (request.usage?.exceeded) throw tooMany(request);
    },
    async settle(request, reply) {
      if (!request.usage) await countUnread(request);
      if (reply.statusCode < 300 || request.usage?.exceeded) return;
      for (const limit of limitsOfRequest(request)) {
        if (limit.successOnly) await limiter.forget(limit, request.clientAddress);
      }
    },
  };
}

/** A route's configuration is one object for all its requests, and every route has one method. */
function memoizeByRoute(isPage: (request: FastifyRequest) => boolean): (request: FastifyRequest) => Limit[] {
  const known = new WeakMap<object, Limit[]>();
  return (request) => {
    const { config, url } = request.routeOptions;
    if (url === undefined) return isPage(request) ? [] : [anonymousLimit];
    const limits =
      known.get(config) ??
      (url.startsWith(versionPrefix) ? limitsOf(`${request.method} ${url.replace(versionPrefix, '')}`) : []);
    known.set(config, limits);
    return limits;
  };
}

/** Only what can be an extension makes a bucket of its own; all else counts under the user alone. */
function extensionOf(body: unknown): string {
  const { extension } = (body ?? {}) as { extension?: unknown };
  return typeof extension === 'string' && /^\d{2,8}$/.test(extension) ? `:${extension}` : '';
}

const tooMany = (request: FastifyRequest): Refusal =>
  new Refusal(
    'RATE_LIMITED',
    `Too many requests. Try again in ${request.usage?.resetSeconds ?? 60} seconds.`,
  );

/** On every answer of a limited route, errors included; set past the framework, which would lower-case the names. */
export function limitHeaders(reply: FastifyReply, usage: Usage | undefined): void {
  if (!usage) return;
  reply.raw.setHeader('RateLimit-Limit', usage.limit);
  reply.raw.setHeader('RateLimit-Remaining', usage.remaining);
  reply.raw.setHeader('RateLimit-Reset', usage.resetSeconds);
}
