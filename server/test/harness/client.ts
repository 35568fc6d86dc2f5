import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { ContractCheck } from './contract.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Parsed body; the contract check has validated its shape before a test reads it. */
  body: ReturnType<typeof JSON.parse>;
}

export interface RequestOptions {
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** Raw request body, sent unchanged. */
  raw?: string | Buffer;
  query?: Record<string, string>;
  address?: string;
}

/** A client of the API with one address; every response is checked against the API description. */
export interface Client {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
  head(path: string, options?: RequestOptions): Promise<Answer>;
  list(path: string, filter?: object, query?: Record<string, string>): Promise<Answer>;
  as(token: string | undefined): Client;
  from(address: string): Client;
  token: string | undefined;
  address: string;
}

let clients = 0;

/** Returns a new address for each client, so that clients do not share rate limits. */
function nextAddress(): string {
  clients += 1;
  return `198.${18 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`;
}

/** Returns the body as text, decompressed if the request asked for compression. */
function decode({ headers, rawPayload, body }: LightMyRequestResponse): string {
  const decompress = decompressors[String(headers['content-encoding'])];
  return decompress && rawPayload.length > 0 ? decompress(rawPayload).toString() : body;
}

const decompressors: Record<string, (data: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

export function createClient(
  app: FastifyInstance,
  check: ContractCheck,
  token?: string,
  address = nextAddress(),
): Client {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const used = 'token' in options ? options.token : token;
    const url =
      path.startsWith('/docs') || path.startsWith('//') ? path.replace('//', '/') : `/api/v1${path}`;
    const injected: InjectOptions = {
      method,
      url,
      remoteAddress: options.address ?? address,
      headers: { ...(used === undefined ? {} : { authorization: used }), ...options.headers },
      ...(options.query ? { query: options.query } : {}),
      ...(options.raw === undefined ? {} : { payload: options.raw }),
      ...(options.body === undefined ? {} : { payload: options.body as object }),
    };
    const response = await app.inject(injected);
    const text = decode(response);
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
    check(method, url, answer);
    return answer;
  }

  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { body, ...options }),
    patch: (path, body, options) => request('PATCH', path, { body, ...options }),
    delete: (path, options) => request('DELETE', path, options),
    head: (path, options) => request('HEAD', path, options),
    list: (path, filter, query = {}) =>
      request('GET', path, { query: { ...query, ...(filter ? { filter: JSON.stringify(filter) } : {}) } }),
    as: (other) => createClient(app, check, other, address),
    from: (other) => createClient(app, check, token, other),
    token,
    address,
  };
}
