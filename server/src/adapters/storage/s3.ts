import { pipeline, type Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { measure, type RecordingStorage } from '../../contexts/recordings/index.ts';
import { assertKey, isKey } from './keys.ts';

export interface S3Options {
  bucket: string;
  /** Prefix of every key; empty or without leading and trailing slashes. */
  prefix: string;
  region: string;
  /** Endpoint of a service other than Amazon S3. */
  endpoint?: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const connectMs = 5_000;
const silenceMs = 60_000;
const maxConnections = 50;

// Silences the client, which would otherwise print a warning that streams cannot be retried.
const nothing = () => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Stores recordings in any S3-compatible service. Objects appear atomically, as the port requires. */
export function createS3Storage(options: S3Options): RecordingStorage {
  const { bucket: Bucket, prefix, region, endpoint, accessKeyId, secretAccessKey } = options;
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint } : {}),
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 3,
    logger: silent,
    // Not all services support checksum trailers; our own checksum is in the database.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      httpsAgent: { maxSockets: maxConnections },
      httpAgent: { maxSockets: maxConnections },
    },
  });
  const at = (key: string) => {
    assertKey(key);
    return { Bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  };

  return {
    async put(key, body, bytes) {
      const { through, sha256 } = measure(bytes);
      // An aborted body must abort the request, or the service waits for the rest.
      const broken = new AbortController();
      pipeline(body, through, (error) => {
        if (error) broken.abort(error);
      });
      const object = { ...at(key), Body: through, ContentLength: bytes, ContentType: 'audio/wav' };
      try {
        await client.send(new PutObjectCommand(object), { abortSignal: broken.signal });
      } catch (error) {
        through.destroy();
        throw broken.signal.aborted ? broken.signal.reason : error;
      }
      return { sha256: sha256() };
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const object = await client.send(new GetObjectCommand({ ...at(key), Range })).catch(missing);
      return object?.Body as Readable | undefined;
    },
    async stat(key) {
      const head = await client.send(new HeadObjectCommand(at(key))).catch(missing);
      return head && { bytes: head.ContentLength ?? 0 };
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch(missing);
    },
    async *list() {
      const Prefix = prefix === '' ? undefined : `${prefix}/`;
      let ContinuationToken: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }),
        );
        yield (page.Contents ?? []).map(({ Key = '' }) => Key.slice(Prefix?.length ?? 0)).filter(isKey);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
    // Not checked at start: media nodes keep their files while the storage service is down.
    check: async () => undefined,
    close: () => client.destroy(),
  };
}

function missing(error: Error & { $metadata?: { httpStatusCode?: number } }): undefined {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
}
