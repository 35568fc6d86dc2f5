import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSigned } from './signature.ts';

/** A minimal in-memory S3: whole objects in one bucket, ranges, signatures. */
export interface ObjectStore {
  endpoint: string;
  objects: Map<string, Buffer>;
  stop(): Promise<void>;
}

interface Options {
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export async function startObjectStore(options: Options): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    answer(request, response, options, objects).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: Options,
  objects: Map<string, Buffer>,
): Promise<void> {
  const refuse = (status: number, code: string) =>
    response
      .writeHead(status, { 'Content-Type': 'application/xml' })
      .end(`<Error><Code>${code}</Code></Error>`);
  if (!isSigned(request, options)) return void refuse(403, 'SignatureDoesNotMatch');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
  const path = decodeURIComponent(pathname);
  if (searchParams.get('list-type') === '2' && path.startsWith(`/${options.bucket}`))
    return list(response, objects, searchParams);
  if (!path.startsWith(`/${options.bucket}/`)) return void refuse(404, 'NoSuchBucket');
  const key = path.slice(options.bucket.length + 2);
  switch (request.method) {
    case 'PUT': {
      // An interrupted body throws here, so that only complete objects are stored.
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      objects.set(key, Buffer.concat(chunks));
      return void response.writeHead(200, { ETag: '"kept"' }).end();
    }
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    case 'GET':
    case 'HEAD': {
      const object = objects.get(key);
      if (!object) return void refuse(404, 'NoSuchKey');
      return send(request, response, object);
    }
    default:
      return void refuse(405, 'MethodNotAllowed');
  }
}

/** Small, so that clients must paginate. */
const pageSize = 2;

function list(response: ServerResponse, objects: Map<string, Buffer>, asked: URLSearchParams): void {
  const prefix = asked.get('prefix') ?? '';
  const after = asked.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, pageSize);
  const more = keys.length > pageSize;
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end(
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>` +
      page
        .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`)
        .join('') +
      (more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '') +
      '</ListBucketResult>',
  );
}

function send(request: IncomingMessage, response: ServerResponse, object: Buffer): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, { 'Content-Length': part.length });
  response.end(request.method === 'HEAD' ? undefined : part);
}
