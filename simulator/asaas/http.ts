import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Book } from './book.ts';
import type { createFaults } from './faults.ts';
import { type Fields, Refused } from './fields.ts';
import { answerRequest } from './routes.ts';

export interface Traffic {
  /** Requests such as `POST /payments`, in order of arrival. */
  requests: string[];
  now: number;
  peak: number;
}

export interface HttpOptions {
  apiKey: string;
  book: Book;
  faults: ReturnType<typeof createFaults>;
  traffic: Traffic;
  now: () => Date;
  /** Effects deferred until `land()`. */
  later: (() => void)[];
  quota: number;
  latencyMs: number;
}

const maxBodyBytes = 65_536;
const readingsAtOnce = 50;
const resetSeconds = 30;

export function createAsaasServer(options: HttpOptions) {
  const { traffic } = options;

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://asaas');
    const name = `${request.method} ${url.pathname.replace(/^\/v3/, '')}`;
    const fields = await fieldsOf(request);
    traffic.requests.push(name);
    if (options.latencyMs > 0) await wait(options.latencyMs);
    const fault = options.faults.take(name);
    const effect = () => answerRequest(options.book, options.now, request.method ?? '', url, fields);

    if (fault === 'silence') return;
    if (fault === 'hang-up') return void request.socket.destroy();
    if (fault === '500') return answer(500, '<html>Internal Server Error</html>');
    if (fault === '429' || traffic.requests.length > options.quota) return tooMany();
    if (request.method === 'GET' && traffic.now > readingsAtOnce) return tooMany();
    if (!request.headers['user-agent'])
      return refuse(new Refused(400, 'invalid_user_agent', 'User-Agent ausente.'));
    if (fault === '401' || request.headers.access_token !== options.apiKey) {
      return refuse(new Refused(401, 'invalid_access_token', 'A chave de API informada é inválida.'));
    }
    if (fault === '504-effect-later') {
      options.later.push(effect);
      return answer(504, 'upstream request timeout');
    }
    try {
      const json = JSON.stringify(effect());
      if (fault === 'silence-after-effect') return;
      if (fault === 'hang-up-after-effect') return void request.socket.destroy();
      if (fault === '500-after-effect') return answer(500, '{"errors":[]}');
      answer(200, fault === 'broken-json-after-effect' ? json.slice(0, -20) : json);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(error);
    }

    function refuse({ status, code, message }: Refused) {
      answer(status, JSON.stringify({ errors: [{ code, description: message }] }));
    }

    function tooMany() {
      refuse(new Refused(429, 'too_many_requests', 'Limite de requisições atingido.'));
    }

    function answer(status: number, body: string) {
      const remaining = status === 429 ? 0 : Math.max(options.quota - traffic.requests.length, 0);
      response.writeHead(status, {
        'content-type': 'application/json',
        'ratelimit-limit': options.quota,
        'ratelimit-remaining': remaining,
        'ratelimit-reset': resetSeconds,
      });
      response.end(body);
    }
  }

  return createServer((request, response) => {
    traffic.now += 1;
    traffic.peak = Math.max(traffic.peak, traffic.now);
    response.once('close', () => {
      traffic.now -= 1;
    });
    handle(request, response).catch(() => request.socket.destroy());
  });
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('The body is too large');
    chunks.push(chunk);
  }
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as Fields);
}
