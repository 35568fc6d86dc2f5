import type { FastifyRequest as Request } from 'fastify';
import type { Usage } from '../contexts/limits/index.ts';
import type { Caller } from '../platform/caller.ts';
import type { Fault, Refusal } from '../platform/errors.ts';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the token; undefined while the token is missing or invalid. */
    caller: Caller | undefined;
    /** Rate limit usage, for the response headers. */
    usage: Usage | undefined;
    clientAddress: string;
    /** On voice's private port: the media node that sent the request. */
    node: string;
    /** The call that the request concerns, for its trace. */
    callId: string | undefined;
    origin: { address: string; requestId: string };
    /** Whether unknown fields are refused or ignored. */
    handling?: 'strict' | 'lenient' | undefined;
    /** Paths of unknown fields that were ignored. */
    ignoredFields?: string[] | undefined;
    /** The error that was sent. */
    refusal: Refusal | undefined;
  }
  interface FastifyContextConfig {
    /** Required: the server does not start with a route that has none. */
    access?: Access;
    /** Finds faults that the schema cannot know in a body that it has refused; see `other-faults.ts`. */
    otherFaults?: (request: Request) => Fault[] | Promise<Fault[]>;
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
