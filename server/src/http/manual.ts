import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const prefix = '/manual/';
const hourSeconds = 3_600;

/**
 * Serves the manual in English, and in Portuguese under `pt-BR/`: static pages and search, which load nothing from other
 * origins. The address decides the language, so that a link shows everyone the same page. If the manual was not built,
 * redirects to the API reference.
 */
export async function serveManual(app: FastifyInstance, manualDir: string): Promise<void> {
  if (!existsSync(join(manualDir, 'index.html'))) {
    app.get(`${prefix}*`, { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/'));
    return;
  }
  const policy = pagePolicy(manualDir);
  await app.register(staticFiles, {
    root: manualDir,
    prefix,
    redirect: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.headers({
        'Cache-Control': `public, max-age=${hourSeconds}`,
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'same-origin',
        'X-Frame-Options': 'DENY',
      });
    },
  });
}

/** Allows the inline scripts of the pages by their hashes, so that no other script runs. */
function pagePolicy(manualDir: string): string {
  const scripts = new Set<string>();
  for (const page of globSync('**/*.html', { cwd: manualDir })) {
    const html = readFileSync(join(manualDir, page), 'utf8');
    for (const match of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(?<text>[^<]+)<\/script>/g))
      scripts.add(
        `'sha256-${createHash('sha256')
          .update(match.groups?.text ?? '')
          .digest('base64')}'`,
      );
  }
  return [
    "default-src 'none'",
    `script-src 'self' ${[...scripts].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
