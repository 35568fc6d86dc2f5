import type { FastifyInstance } from 'fastify';
import { joinBrackets } from '../platform/filter/index.ts';

/** Reads filters in brackets, such as `filter[where][ramal]=1000`, as the same filters in JSON. */
export function readBracketFilters(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    request.query = joinBrackets(request.query as Record<string, unknown>);
  });
}
