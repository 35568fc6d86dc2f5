import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  anonymousLimit,
  consoleLimit,
  isReplacedInConsole,
  type Limit,
  limitsOf,
  type RequestLimiter,
  type Usage,
} from '../contexts/limits/index.ts';
import { Refusal } from '../platform/errors.ts';
import { isConsoleRequest } from './access.ts';
import { versionPrefix } from './version.ts';

export interface RateLimit {
  /** Counts limits by address and refuses requests over them, before any other work. */
  countAddress(request: FastifyRequest): Promise<void>;
  /** Counts limits by user; a request without a valid token counts against its address instead. */
  countCaller(request: FastifyRequest): Promise<void>;
  /** Counts limits by the extension in the body, so it runs after the body was read. */
  countExtension(request: FastifyRequest): Promise<void>;
  /** Refuses a request that is over its limit by user or extension. */
  refuseExceeded(request: FastifyRequest): void;
  /** Removes the counts of failed requests from limits that apply to valid requests only. */
  settle(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Requests without a route are limited, except those that `isFree` names, such as static pages. */
export function createRateLimit(
  limiter: RequestLimiter,
  isFree: (request: FastifyRequest) => boolean,
): RateLimit {
  const limitsOfRequest = memoizeByRoute(isFree);

  async function count(request: FastifyRequest, limit: Omit<Limit, 'by'>, key: string): Promise<Usage> {
    const usage = await limiter.count(limit, key);
    // With several limits, the headers report the first (per minute) unless another limit refuses the request.
    if (!request.usage || usage.exceeded) request.usage = usage;
    return usage;
  }

  async function countExtension(request: FastifyRequest): Promise<void> {
    for (const limit of limitsOfRequest(request)) {
      if (limit.by === 'extension' && request.caller)
        await count(request, limit, `${request.caller.userId}${extensionOf(request.body)}`);
    }
  }

  /** Counts a request that failed before this limit was checked, so that its response has the limit's headers. */
  async function countUnread(request: FastifyRequest): Promise<void> {
    if (request.caller) await countExtension(request);
    else if (limitsOfRequest(request).length > 0) await count(request, anonymousLimit, request.clientAddress);
  }

  return {
    async countAddress(request) {
      const isConsole = isConsoleRequest(request);
      for (const limit of limitsOfRequest(request)) {
        if (isConsole && isReplacedInConsole(limit)) continue;
        if (limit.by === 'address' && (await count(request, limit, request.clientAddress)).exceeded)
          throw tooMany(request);
      }
    },
    async countCaller(request) {
      const isConsole = isConsoleRequest(request);
      for (const limit of limitsOfRequest(request)) {
        const isReplaced = isConsole && isReplacedInConsole(limit);
        if (limit.by === 'address' && !isReplaced) continue;
        if (!request.caller) {
          if ((await count(request, anonymousLimit, request.clientAddress)).exceeded) throw tooMany(request);
        } else if (isReplaced)
          await count(request, consoleLimit, request.caller.tokenHash.toString('base64url'));
        else if (limit.by === 'user') await count(request, limit, String(request.caller.userId));
      }
    },
    countExtension,
    refuseExceeded(request) {
      if (request.usage?.exceeded) throw tooMany(request);
    },
    async settle(request, reply) {
      if (!request.usage) await countUnread(request);
      if (reply.statusCode < 300 || isRefusedWhileValid(request, reply) || request.usage?.exceeded) return;
      for (const limit of limitsOfRequest(request)) {
        if (limit.validOnly) await limiter.forget(limit, request.clientAddress);
      }
    },
  };
}

/** Whether all fields are valid, and the database refused them: such refusals reveal what exists, so they count. */
const isRefusedWhileValid = (request: FastifyRequest, reply: FastifyReply): boolean =>
  reply.statusCode === 422 && !request.validationError;

/** Computes limits once per route: the configuration object of a route is shared by all its requests. */
function memoizeByRoute(isFree: (request: FastifyRequest) => boolean): (request: FastifyRequest) => Limit[] {
  const cache = new WeakMap<object, Limit[]>();
  return (request) => {
    const { config, url } = request.routeOptions;
    if (url === undefined) return isFree(request) ? [] : [anonymousLimit];
    const limits =
      cache.get(config) ??
      (url.startsWith(versionPrefix) ? limitsOf(`${request.method} ${url.replace(versionPrefix, '')}`) : []);
    cache.set(config, limits);
    return limits;
  };
}

/**
 * Returns the extension to count by. Only valid extension numbers get a separate bucket; anything else counts under the
 * user alone.
 */
function extensionOf(body: unknown): string {
  const { extension } = (body ?? {}) as { extension?: unknown };
  const text = typeof extension === 'number' ? String(extension) : extension;
  return typeof text === 'string' && /^\d{2,8}$/.test(text) ? `:${text}` : '';
}

const tooMany = (request: FastifyRequest): Refusal =>
  new Refusal(
    'RATE_LIMITED',
    `Too many requests. Try again in ${request.usage?.resetSeconds ?? 60} seconds.`,
  );

/** Sets the headers on every response of a limited route. Uses the raw response, because Fastify lower-cases names. */
export function limitHeaders(reply: FastifyReply, usage: Usage | undefined): void {
  if (!usage) return;
  reply.raw.setHeader('RateLimit-Limit', usage.limit);
  reply.raw.setHeader('RateLimit-Remaining', usage.remaining);
  reply.raw.setHeader('RateLimit-Reset', usage.resetSeconds);
}
