import type { FastifyInstance } from 'fastify';
import { Refusal } from '../platform/errors.ts';

const deepest = 20;

/**
 * Bodies are JSON or nothing. An empty one is none, whatever its Content-Type says, because clients send that on
 * requests without a body. Keys that poison prototypes and bodies nested beyond all use are refused.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    void parse(request, body as string, (error, value) => {
      if (error) return done(error, undefined);
      if (isDeeper(value, deepest)) {
        return done(
          new Refusal('MALFORMED_REQUEST', `The body is nested deeper than ${deepest} levels.`),
          undefined,
        );
      }
      done(null, value);
    });
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((child) => isDeeper(child, levels - 1));
}
