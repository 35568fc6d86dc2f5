import type { WebhookPayload } from './webhook-payloads.ts';

export type { EventType } from './types.ts';
export type { Payloads, WebhookPayload } from './webhook-payloads.ts';

export type WebhookErrorCode =
  /** A Standard Webhooks header is missing or malformed. */
  | 'MALFORMED_HEADERS'
  /** The timestamp is outside the tolerance: it may be a replay attack. */
  | 'OUTSIDE_TOLERANCE'
  /** No signature matches a secret. */
  | 'WRONG_SIGNATURE'
  /** The signature is valid but the body is not JSON. */
  | 'MALFORMED_BODY'
  /** The given secret is malformed: secrets start with `whsec_`. */
  | 'MALFORMED_SECRET';

/** A webhook that failed verification. Respond with 401 and do not process the request. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.code = code;
  }
}

export type HeaderSource = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** Maximum difference between timestamp and clock; default: 300. */
  toleranceSeconds?: number | undefined;
  /** Current time; default: the system clock. */
  now?: Date | undefined;
}

export interface VerifiedWebhook {
  /** The same for every attempt and replay; use it to ignore duplicates. */
  id: string;
  sentAt: Date;
  payload: WebhookPayload;
}

const usualToleranceSeconds = 300;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const utf8 = new TextEncoder();

/**
 * Verifies the signature of a webhook and returns its payload. Pass the raw body, before any parsing. During a secret
 * rotation you may pass both secrets: one match is enough.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | string[],
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const { id, timestamp, signatures } = readHeaders(headers);
  const sentAt = new Date(Number(timestamp) * 1000);
  const ageSeconds = ((options.now ?? new Date()).getTime() - sentAt.getTime()) / 1000;
  const tolerated = options.toleranceSeconds ?? usualToleranceSeconds;
  // Negated, so that a NaN tolerance rejects everything.
  if (!(Math.abs(ageSeconds) <= tolerated)) {
    const distance = `${Math.round(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? 'ago' : 'ahead of this clock'}`;
    throw new WebhookError(
      'OUTSIDE_TOLERANCE',
      `The webhook was signed ${distance}; the tolerance is ${tolerated} s.`,
    );
  }
  const content = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = signedBytes(id, timestamp, body);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, 'verify');
    for (const signature of signatures) {
      // crypto.subtle.verify compares in constant time.
      if (await crypto.subtle.verify(algorithm, key, signature, signed))
        return { id, sentAt, payload: parse(content) };
    }
  }
  throw new WebhookError('WRONG_SIGNATURE', 'The webhook signature does not match any given secret.');
}

/** Returns the headers of a signed webhook, for tests of your receiver. */
export async function signWebhook(
  body: string,
  secret: string,
  { id, at = new Date() }: { id: string; at?: Date },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = await keyOf(secret, 'sign');
  const signature = await crypto.subtle.sign(algorithm, key, signedBytes(id, timestamp, body));
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${text}` };
}

function readHeaders(headers: HeaderSource) {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headerOf(headers, name);
    if (typeof value !== 'string' || value === '')
      throw new WebhookError('MALFORMED_HEADERS', `The webhook does not have exactly one header ${name}.`);
    return value;
  };
  const timestamp = read('webhook-timestamp');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('MALFORMED_HEADERS', 'webhook-timestamp is not a number of seconds.');
  const signatures = read('webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => bytesOf(each.slice(3)) ?? []);
  return { id: read('webhook-id'), timestamp, signatures };
}

/** Matches any case: frameworks lower-case header names, tests may not. */
function headerOf(headers: Record<string, string | string[] | undefined>, name: string) {
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return value;
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const before = utf8.encode(`${id}.${timestamp}.`);
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  const signed = new Uint8Array(before.length + bytes.length);
  signed.set(before);
  signed.set(bytes, before.length);
  return signed;
}

async function keyOf(secret: string, use: 'sign' | 'verify') {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  if (!bytes || bytes.length === 0)
    throw new WebhookError('MALFORMED_SECRET', 'A secret is whsec_ followed by base64.');
  return await crypto.subtle.importKey('raw', bytes, algorithm, false, [use]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parse(text: string): WebhookPayload {
  try {
    return JSON.parse(text) as WebhookPayload;
  } catch {
    throw new WebhookError('MALFORMED_BODY', 'The body of the webhook is not JSON.');
  }
}
