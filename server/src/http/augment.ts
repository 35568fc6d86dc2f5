import type { FastifyRequest as Request } from 'fastify';
import type { Usage } from '../contexts/limits/index.ts';
import type { Caller, Handling } from '../platform/caller.ts';
import type { Fault, Refusal } from '../platform/errors.ts';
import type { Access } from '../platform/scopes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the token; undefined while the token is missing or invalid. */
    caller: Caller | undefined;
    /** The owner of a token that must not be used from the address of the request. */
    outsider: Caller | undefined;
    /** Rate limit usage, for the response headers. */
    usage: Usage | undefined;
    clientAddress: string;
    /** Whether unknown fields are refused or ignored. */
    handling: Handling;
    /** The unknown body fields and query parameters that a lenient request ignored. */
    ignoredFields: string[];
    /** On voice's private port: the media node that sent the request. */
    node: string;
    /** The call that the request concerns, for its trace. */
    callId: string | undefined;
    origin: { address: string; requestId: string };
    /** The error that was sent. */
    refusal: Refusal | undefined;
  }
  interface FastifyContextConfig {
    /** Required, with the scope: the server does not start with a route that has none. */
    access?: Access;
    /** Finds faults that the schema cannot detect, in a body that the schema has refused; see `other-faults.ts`. */
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
