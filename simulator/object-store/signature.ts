import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Verifies an AWS Signature Version 4. */
export function isSigned(
  request: IncomingMessage,
  keys: { accessKeyId: string; secretAccessKey: string },
): boolean {
  const { authorization = '' } = request.headers;
  const given =
    /^AWS4-HMAC-SHA256 Credential=(\S+?)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (!given) return false;
  const [, id, day = '', region = '', names = '', signature] = given;
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical(request, names)).digest('hex'),
  ].join('\n');
  const key = ['aws4_request', 's3', region].reduceRight(
    (secret: Buffer, part) => hmac(secret, part),
    hmac(`AWS4${keys.secretAccessKey}`, day),
  );
  return id === keys.accessKeyId && hmac(key, text).toString('hex') === signature;
}

/** Returns the canonical request. */
function canonical({ method, url = '', headers }: IncomingMessage, names: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any');
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  return [method, pathname, query, signed.join(''), names, headers['x-amz-content-sha256']].join('\n');
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
