import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bucket, openBucket } from './bucket.ts';
import { type Answer, answerRequest } from './requests.ts';
import { isSigned } from './signature.ts';

/** An S3-compatible object store with one bucket, in a folder. */
export interface ObjectStore {
  endpoint: string;
  bucket: Bucket;
  stop(): Promise<void>;
}

export interface ObjectStoreOptions {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The folder of the objects; by default a temporary one, deleted by `stop`. */
  dir?: string;
  host?: string;
  port?: number;
  /** Certificate and key; without them the store speaks plain HTTP. */
  tls?: { cert: string | Buffer; key: string | Buffer };
}

export async function startObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  const { host = '127.0.0.1', port = 0, tls } = options;
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'disca-objects-'));
  const bucket = openBucket(dir);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, options, bucket).then(
      (given) => send(request, response, given),
      () => response.destroy(),
    );
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    endpoint: `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`,
    bucket,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answer(
  request: IncomingMessage,
  options: ObjectStoreOptions,
  bucket: Bucket,
): Promise<Answer> {
  if (!isSigned(request, options)) return { status: 403, code: 'SignatureDoesNotMatch' };
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
  const [, name, key] = /^\/([^/]+)(?:\/(.*))?$/s.exec(decodeURIComponent(pathname)) ?? [];
  if (name !== options.bucket) return { status: 404, code: 'NoSuchBucket' };
  return await answerRequest(request, bucket, { key: key ?? '', query: searchParams });
}

function send(request: IncomingMessage, response: ServerResponse, given: Answer): void {
  const { status, code, headers, text, file } = given;
  const body = code === undefined ? text : `<Error><Code>${code}</Code></Error>`;
  const type = body === undefined ? {} : { 'Content-Type': 'application/xml' };
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...type, ...length, ...headers });
  if (request.method === 'HEAD') file?.destroy();
  if (request.method === 'HEAD' || !file) return void response.end(request.method === 'HEAD' ? '' : body);
  file.once('error', () => response.destroy());
  response.once('close', () => file.destroy());
  file.pipe(response);
}
