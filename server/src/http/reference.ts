import { randomBytes } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { versionPrefix } from './version.ts';

const path = '/docs';
const noncePlaceholder = '__NONCE__';

/** Serves the readable API reference at /docs. All its assets are local; nothing is sent to third parties. */
export async function serveReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  const { origin } = new URL(publicUrl);
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, page) => {
      const nonce = randomBytes(16).toString('base64');
      reply.headers(pageHeaders(nonce, origin));
      const isPage =
        typeof page === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      return isPage ? page.replaceAll(noncePlaceholder, nonce) : page;
    });
    await docs.register(scalar, {
      routePrefix: path,
      configuration: {
        url: `${versionPrefix}/openapi.json`,
        pageTitle: 'Disca API',
        nonce: noncePlaceholder,
        authentication: { preferredSecurityScheme: 'token' },
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        withDefaultFonts: false,
        telemetry: false,
      },
    });
  });
}

/**
 * Returns the headers of the page. It shares its origin with the console and its cookie, so it runs only our scripts,
 * connects only to our origin and cannot be framed. The library creates style elements without a nonce.
 */
function pageHeaders(nonce: string, origin: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}
