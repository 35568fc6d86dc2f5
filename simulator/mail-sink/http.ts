import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { MessageStore } from './store.ts';

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');

const pagePolicy = [
  "default-src 'none'",
  `script-src ${hashOf('script')}`,
  `style-src ${hashOf('style')}`,
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
].join('; ');

/**
 * Prevents a displayed mail from running scripts or loading anything, and gives it no origin; its links open in a new
 * tab.
 */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'";

export function createHttpServer(store: MessageStore) {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://sink');
    if (request.method !== 'GET') return answer(response, 405, 'text/plain', 'Only GET is supported.\n');
    if (url.pathname === '/') return answer(response, 200, 'text/html', page, pagePolicy);
    if (url.pathname === '/messages') {
      return answerJson(response, store.list(url.searchParams.get('to') ?? undefined));
    }
    const [, id = '', html] = /^\/messages\/([\w-]+)(\/html)?$/.exec(url.pathname) ?? [];
    const message = store.find(id);
    if (!message) return answer(response, 404, 'text/plain', 'Not found.\n');
    if (html) {
      return answer(response, 200, 'text/html', `<base target="_blank">${message.html}`, mailPolicy);
    }
    answerJson(response, message);
  });
}

function answerJson(response: ServerResponse, value: unknown) {
  answer(response, 200, 'application/json', `${JSON.stringify(value, null, 2)}\n`);
}

function answer(response: ServerResponse, status: number, type: string, body: string, policy?: string) {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(policy && { 'content-security-policy': policy }),
  });
  response.end(body);
}

/** Returns the hash with which the policy allows the page's own script or style. */
function hashOf(element: 'script' | 'style') {
  const [, content = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
