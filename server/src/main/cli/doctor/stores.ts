import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { checkSmtp } from '../../../adapters/mail/check-smtp.ts';
import { openStorage } from '../../../adapters/storage/index.ts';
import { openRedis } from '../../../platform/redis/redis.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Environment, Settings } from './settings.ts';

const answerMs = 3_000;

export const checkRedis = ({ REDIS_URL: url }: Settings): Check => ({
  part: 'redis',
  otherwise:
    'Start Redis, and check REDIS_URL. Until then every process counts limits separately, and calls start up to 0.4 s later.',
  async look() {
    if (!url) throw new Error('REDIS_URL is not valid');
    const says = `responded in ${Math.ceil(await pingRedis(url))} ms`;
    if (!(await isOpenToOthers(url))) return ok('redis', says);
    return warning(
      'redis',
      `${says}, without a password and not on a loopback address: other machines may reset limits`,
      'Set a password in Redis (requirepass) and in REDIS_URL: redis://:PASSWORD@host:6379.',
    );
  },
});

/** Returns the response time, in milliseconds. */
async function pingRedis(url: string): Promise<number> {
  let last: Error | undefined;
  const redis = openRedis(
    url,
    (error) => {
      last = error;
    },
    { commandTimeout: answerMs, enableOfflineQueue: true, maxRetriesPerRequest: 1 },
  );
  try {
    const startedMs = performance.now();
    await redis.ping();
    return performance.now() - startedMs;
  } catch (error) {
    throw last ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Tries without the password of the URL, because a server without a password accepts any. */
async function isOpenToOthers(url: string): Promise<boolean> {
  const anonymous = new URL(url);
  if (isLoopback(anonymous.hostname)) return false;
  anonymous.username = '';
  anonymous.password = '';
  return await pingRedis(anonymous.href).then(
    () => true,
    () => false,
  );
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

export const checkMail = ({ SMTP_URL: url, SMTP_TLS: tls = 'required' }: Settings): Check => ({
  part: 'mail',
  otherwise:
    'Check host, port, user and password of the mail server in SMTP_URL. Until then users cannot confirm accounts or reset passwords.',
  async look() {
    if (!url) throw new Error('SMTP_URL is not valid');
    await checkSmtp(url, { tls });
    return ok('mail', 'the mail server accepts our login');
  },
});

export const checkStorage = (settings: Settings): Check => ({
  part: 'recordings',
  otherwise:
    'Check that the folder or bucket of STORAGE_URL exists and that this user may write to it. Until then media nodes keep the files.',
  async look() {
    const { STORAGE_URL: url } = settings;
    if (!url) throw new Error('STORAGE_URL is not valid');
    const storage = openStorage({
      url,
      accessKeyId: settings.S3_ACCESS_KEY_ID,
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    });
    const key = `doctor/${randomUUID()}.wav`;
    const content = Buffer.from('disca doctor');
    try {
      await storage.put(key, Readable.from([content]), content.length);
      const kept = await storage.get(key);
      if (!kept || !(await buffer(kept)).equals(content))
        throw new Error('a stored file could not be read back');
      await storage.remove(key);
    } finally {
      storage.close();
    }
    return ok('recordings', 'a file was stored, read back and removed');
  },
});

const gigabyte = 1_000_000_000;
const lowShare = 0.15;
const emptyShare = 0.05;

/** Checks the folders that are on this machine. */
export const checkDisks = (environment: Environment, { STORAGE_URL: storageUrl }: Settings): Check => ({
  part: 'disk space',
  otherwise: 'Check that the folder exists.',
  async look() {
    const { PGBACKREST_REPO1_PATH: backups, PGBACKREST_REPO1_TYPE: type = 'posix' } = environment;
    const present = [
      ...(storageUrl?.startsWith('file:') ? [fileURLToPath(storageUrl)] : []),
      ...(backups && type === 'posix' ? [backups] : []),
    ];
    if (present.length === 0) return ok('disk space', 'no folder of the service is on this machine');
    return await Promise.all(present.map(judgeDisk));
  },
});

async function judgeDisk(folder: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const share = bavail / blocks;
  const says = `${folder} has ${((bavail * bsize) / gigabyte).toFixed(1)} GB free, ${Math.round(share * 100)} %`;
  const advice = 'Free space: move it to a larger disk, or shorten the retention of recordings or backups.';
  if (share < emptyShare) return fault('disk space', says, advice);
  return share < lowShare ? warning('disk space', says, advice) : ok('disk space', says);
}
