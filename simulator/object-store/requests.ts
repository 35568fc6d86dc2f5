import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type Bucket, type StoredObject, WrongChecksumError } from './bucket.ts';

export interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  /** Error code. */
  code?: string;
  /** XML document. */
  text?: string;
  /** Content of an object. */
  file?: ReadStream;
}

interface Asked {
  key: string;
  query: URLSearchParams;
}

/** Parts of unfinished uploads are objects with this prefix, which is never listed. */
const uploadsPrefix = '.uploads/';
/** Small, so that clients must paginate. */
const pageSize = 10;

export async function answerRequest(
  request: IncomingMessage,
  bucket: Bucket,
  { key, query }: Asked,
): Promise<Answer> {
  if (key === '' && request.method === 'GET' && query.get('list-type') === '2')
    return await list(bucket, query);
  if (key === '' && request.method === 'POST' && query.has('delete'))
    return await removeMany(request, bucket);
  if (key === '') return { status: 405, code: 'MethodNotAllowed' };
  switch (request.method) {
    case 'PUT':
      return await put(request, bucket, { key, query });
    case 'POST':
      return query.has('uploads')
        ? { status: 200, text: initiated(randomBytes(12).toString('hex')) }
        : await complete(request, bucket, { key, query });
    case 'DELETE':
      await bucket.remove(key);
      return { status: 204 };
    case 'GET':
    case 'HEAD':
      return await get(request, bucket, key);
    default:
      return { status: 405, code: 'MethodNotAllowed' };
  }
}

async function put(request: IncomingMessage, bucket: Bucket, { key, query }: Asked): Promise<Answer> {
  const [upload, part] = [query.get('uploadId'), query.get('partNumber')];
  const target = upload === null ? key : partKey(upload, Number(part));
  const sha256 = String(request.headers['x-amz-content-sha256'] ?? '');
  try {
    const md5 = await bucket.put(target, request, /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined);
    return { status: 200, headers: { ETag: `"${md5}"` } };
  } catch (error) {
    if (error instanceof WrongChecksumError) return { status: 400, code: 'XAmzContentSHA256Mismatch' };
    throw error;
  }
}

const partKey = (upload: string, number: number): string => `${uploadsPrefix}${upload}/${number}`;

const initiated = (upload: string): string =>
  `<InitiateMultipartUploadResult><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`;

/** Joins the parts of an upload in the order of the request. */
async function complete(request: IncomingMessage, bucket: Bucket, { key, query }: Asked): Promise<Answer> {
  const upload = query.get('uploadId');
  if (upload === null) return { status: 400, code: 'InvalidRequest' };
  const wanted = [...(await readText(request)).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(
    ([, number]) => partKey(upload, Number(number)),
  );
  const object = await bucket.join(key, wanted);
  if (!object) return { status: 400, code: 'InvalidPart' };
  const { ETag } = describe(object);
  return {
    status: 200,
    text: `<CompleteMultipartUploadResult><Key>${escaped(key)}</Key><ETag>${escaped(ETag)}</ETag></CompleteMultipartUploadResult>`,
  };
}

async function get(request: IncomingMessage, bucket: Bucket, key: string): Promise<Answer> {
  const object = await bucket.find(key);
  if (!object) return { status: 404, code: 'NoSuchKey' };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first ?? 0), Math.min(Number(last || Infinity), object.size - 1)];
  if (first !== undefined && start >= object.size) return { status: 416, code: 'InvalidRange' };
  const headers = { 'Content-Length': end - start + 1, ...describe(object) };
  if (object.size === 0) return { status: 200, headers, text: '' };
  return {
    status: first === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...(first === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${object.size}` }),
    },
    file: bucket.read(key, { start, end }),
  };
}

const describe = ({ modifiedAt, size }: StoredObject) => ({
  'Last-Modified': modifiedAt.toUTCString(),
  ETag: `"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`,
});

async function list(bucket: Bucket, query: URLSearchParams): Promise<Answer> {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('continuation-token') ?? '';
  const entries = new Map<string, StoredObject | undefined>();
  for (const object of await bucket.list(prefix)) {
    if (object.key.startsWith(uploadsPrefix)) continue;
    const cut = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
    if (cut < 0) entries.set(object.key, object);
    else entries.set(object.key.slice(0, cut + delimiter.length), undefined);
  }
  const names = [...entries.keys()].filter((name) => name > after);
  const page = names.slice(0, pageSize);
  const isTruncated = names.length > pageSize;
  const items = page.map((name) => {
    const object = entries.get(name);
    return object
      ? `<Contents><Key>${escaped(name)}</Key><LastModified>${object.modifiedAt.toISOString()}</LastModified><Size>${object.size}</Size></Contents>`
      : `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`;
  });
  const next = isTruncated
    ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
    : '';
  return {
    status: 200,
    text: `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${items.join('')}${next}</ListBucketResult>`,
  };
}

async function removeMany(request: IncomingMessage, bucket: Bucket): Promise<Answer> {
  const body = await readText(request);
  const digest = createHash('md5').update(body).digest('base64');
  if (request.headers['content-md5'] !== digest) return { status: 400, code: 'InvalidDigest' };
  for (const [, key = ''] of body.matchAll(/<Key>([^<]*)<\/Key>/g)) await bucket.remove(unescaped(key));
  return { status: 200, text: '<DeleteResult></DeleteResult>' };
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign as keyof typeof entities]);
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
