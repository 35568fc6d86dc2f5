import type { Usage } from '../contexts/limits/index.ts';
import type { Caller } from '../platform/caller.ts';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the token belongs to; nobody while it is missing or not valid. */
    caller: Caller | undefined;
    /** What the request has used of its limits, for the headers of the answer. */
    usage: Usage | undefined;
    clientAddress: string;
    /** On the private port of voice: the media node that speaks. */
    node: string;
    /** The call that the request is about, for its trace. */
    callId: string | undefined;
    origin: { address: string; requestId: string };
  }
  interface FastifyContextConfig {
    /** Who may use the route. There is no default: a route without it stops the start. */
    access?: Access;
  }
  interface FastifySchema {
    hide?: boolean;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    operationId?: string;
    'x-clauses'?: readonly string[];
  }
}
