import { fileURLToPath } from 'node:url';
import type { RecordingStorage } from '../../contexts/recordings/index.ts';
import { createDiskStorage } from './disk.ts';
import { createS3Storage } from './s3.ts';

export interface StorageSettings {
  /** `file:///folder`, or `s3://bucket/prefix?endpoint=…&region=…`. */
  url: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
}

export function openStorage({ url, accessKeyId, secretAccessKey }: StorageSettings): RecordingStorage {
  const { protocol, hostname: bucket, pathname, searchParams } = new URL(url);
  if (protocol === 'file:') return createDiskStorage(fileURLToPath(url));
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('STORAGE_URL names S3, which needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }
  const endpoint = searchParams.get('endpoint');
  return createS3Storage({
    bucket,
    prefix: pathname.replaceAll(/^\/+|\/+$/g, ''),
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint ? { endpoint } : {}),
    accessKeyId,
    secretAccessKey,
  });
}
