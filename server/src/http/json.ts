import type { FastifyInstance } from 'fastify';
import { Refusal } from '../platform/errors.ts';

const deepest = 20;

/**
 * Accepts JSON bodies only. An empty body counts as none whatever its Content-Type, because clients set one on requests
 * without a body. Rejects keys that pollute prototypes and bodies that are nested too deeply.
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
