import { brotliCompressSync, gzipSync, type InputType } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { z } from 'zod';
import { versionPrefix } from './version.ts';

const settings = {
  encodings: ['br', 'gzip'],
  customTypes: /^application\/json/,
  /** Bytes. Smaller responses fit into two packets, and compressing them saves nothing. */
  threshold: 2 * 1024,
} satisfies FastifyCompressOptions;

/** Compresses large JSON responses of the API for clients that accept it. Requests are never decompressed. */
export async function compressResponses(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(versionPrefix) && isCompressible(route)) route.compress ??= settings;
  });
  await app.register(compress, { global: false });
}

/** Settings of a route whose response never changes: it is compressed once per encoding. */
export function compressedOnce(): FastifyCompressOptions {
  return {
    ...settings,
    syncThreshold: Number.POSITIVE_INFINITY,
    zlib: { brotliCompressSync: once(brotliCompressSync), gzipSync: once(gzipSync) },
  };
}

function once<Options>(compressBytes: (bytes: InputType, options?: Options) => Buffer) {
  let compressed: Buffer | undefined;
  return (bytes: InputType, options?: Options): Buffer => (compressed ??= compressBytes(bytes, options));
}

/**
 * Streams and files have no JSON schema. A response with a secret is not compressed, because its compressed length would
 * depend on how much of the secret also occurs in the request (BREACH).
 */
function isCompressible({ schema }: RouteOptions): boolean {
  const responses = Object.entries((schema?.response ?? {}) as Record<string, unknown>);
  const bodies = responses.filter(([status]) => status.startsWith('2')).map(([, body]) => jsonBodyOf(body));
  return bodies.some((body) => body !== undefined) && !bodies.some((body) => body && hasSecret(body));
}

function jsonBodyOf(response: unknown): z.ZodType | undefined {
  if (response instanceof z.ZodUndefined) return undefined;
  if (response instanceof z.ZodType) return response;
  const { content } = response as { content?: Record<string, { schema: z.ZodType }> };
  return content?.['application/json']?.schema;
}

/** Secrets are described with `format: password`. */
const hasSecret = (body: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' })).includes(
    '"format":"password"',
  );
