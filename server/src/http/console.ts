import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface ConsoleDeps {
  /** Directory of the built console. Without it only the API is served. */
  consoleDir: string;
  publicUrl: string;
  /** Other origins that the console connects to, such as the secure WebSocket of the SIP edge. */
  consoleConnects: string[];
}

/** The console's pages: every path that no other route serves. The console has its own router. */
export interface ConsolePages {
  isPage(request: FastifyRequest): boolean;
  send(reply: FastifyReply): FastifyReply;
}

const noncePlaceholder = '__NONCE__';
const yearSeconds = 31_536_000;

export function openConsole({
  consoleDir,
  publicUrl,
  consoleConnects,
}: ConsoleDeps): ConsolePages | undefined {
  const indexFile = join(consoleDir, 'index.html');
  if (!existsSync(indexFile)) return undefined;
  const index = readFileSync(indexFile, 'utf8');
  const scripts = inlineScriptHashes(index);
  return {
    isPage: ({ method, url, headers }) =>
      (method === 'GET' || method === 'HEAD') &&
      !isElsewhere.test(url) &&
      (headers.accept ?? '').includes('text/html'),
    send(reply) {
      const nonce = randomBytes(16).toString('base64');
      return reply
        .code(200)
        .headers(pageHeaders(nonce, scripts, [new URL(publicUrl).origin, ...consoleConnects]))
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(index.replaceAll(noncePlaceholder, nonce));
    },
  };
}

/** Paths of the API, and files, which are never pages of the console. */
const isElsewhere = /^\/(api|docs|manual|assets)(\/|$|\?)|^[^?]*\.\w+(\?|$)/;

/** Returns the CSP sources of the scripts inside the page. */
const inlineScriptHashes = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );

/** Allows only our own scripts, styles and resources, no framing, and connections to our own origin. */
function pageHeaders(nonce: string, scripts: string[], connects: string[]): Record<string, string> {
  const reached = connects.join(' ');
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob: ${reached}`,
    `connect-src 'self' ${reached}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), payment=(), usb=(), microphone=(self), autoplay=(self)',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

/** Caches files with content hashes in their names for a year, and serves them precompressed. */
export async function serveConsoleFiles(app: FastifyInstance, consoleDir: string): Promise<void> {
  await app.register(staticFiles, {
    root: join(consoleDir, 'assets'),
    prefix: '/assets/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.headers({
        'Cache-Control': `public, max-age=${yearSeconds}, immutable`,
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
    },
  });
}
