import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../platform/errors.ts';

const deepest = 20;

/**
 * Accepts JSON bodies in UTF-8 only. An empty body counts as none whatever its Content-Type, because clients set one on requests
 * without a body. Rejects keys that pollute prototypes and bodies that are nested too deeply.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    const body = raw as Buffer;
    if (body.length === 0) return done(null, undefined);
    const refusal = refuseEncoding(request.headers['content-type'] ?? '', body);
    if (refusal) return done(refusal, undefined);
    void parse(request, body.toString('utf8'), (error, value) => {
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

/** Bytes in another encoding would be stored as replacement characters. */
function refuseEncoding(contentType: string, body: Buffer): Refusal | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be encoded in UTF-8.');
  }
  return isUtf8(body)
    ? undefined
    : new Refusal('MALFORMED_REQUEST', 'The request is malformed: the body is not valid UTF-8.');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((child) => isDeeper(child, levels - 1));
}
