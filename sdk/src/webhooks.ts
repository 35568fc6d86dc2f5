import type { WebhookPayload } from './webhook-payloads.ts';

export type { EventType } from './types.ts';
export type { Payloads, WebhookPayload } from './webhook-payloads.ts';

export type WebhookErrorCode =
  /** A header of Standard Webhooks is missing, or is no such header. */
  | 'MALFORMED_HEADERS'
  /** It was signed longer ago, or further ahead, than is tolerated: somebody may be repeating an old one. */
  | 'OUTSIDE_TOLERANCE'
  /** None of the signatures was made with one of the secrets. */
  | 'WRONG_SIGNATURE'
  /** The signature is good and the body is not JSON. */
  | 'MALFORMED_BODY'
  /** What was given as a secret is none: it begins with `whsec_`. */
  | 'MALFORMED_SECRET';

/** Answer 401 to whoever sent it, and do nothing else with it. */
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
  /** How old, or how far ahead, a message may be; 300 unless given. */
  toleranceSeconds?: number | undefined;
  /** What time it is; the clock's unless given. */
  now?: Date | undefined;
}

export interface VerifiedWebhook {
  /** The same at every attempt and replay: ignore one that you have seen. */
  id: string;
  sentAt: Date;
  payload: WebhookPayload;
}

const usualToleranceSeconds = 300;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const utf8 = new TextEncoder();

/**
 * Tells whether a webhook comes from Disca, and what it says. Give the body as it came, before anything has parsed it,
 * and while a secret is being rotated both secrets, if you like: one that fits is enough.
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
  // Asked this way round, a tolerance that is no number tolerates nothing.
  if (!(Math.abs(ageSeconds) <= tolerated)) {
    const distance = `${Math.round(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? 'ago' : 'ahead of this clock'}`;
    throw new WebhookError(
      'OUTSIDE_TOLERANCE',
      `The webhook was signed ${distance}, and ${tolerated} s are tolerated.`,
    );
  }
  const content = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = signedBytes(id, timestamp, body);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, 'verify');
    for (const signature of signatures) {
      // The platform compares in constant time.
      if (await crypto.subtle.verify(algorithm, key, signature, signed))
        return { id, sentAt, payload: parse(content) };
    }
  }
  throw new WebhookError('WRONG_SIGNATURE', 'The webhook was not signed with a secret that was given.');
}

/** The headers that a webhook of ours bears; for tests of your own receiver. */
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
      throw new WebhookError('MALFORMED_HEADERS', `The webhook has no single header ${name}.`);
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

/** Frameworks lower-case the names; people who test do not always. */
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
    throw new WebhookError('MALFORMED_SECRET', 'A secret begins with whsec_, followed by base64.');
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
