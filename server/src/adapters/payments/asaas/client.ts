import type { z } from 'zod';
import { GatewayRefused, GatewayUnavailable } from '../../../contexts/charges/index.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { asaasErrors } from './schemas.ts';
import { createSlots } from './slots.ts';

export interface AsaasClientOptions {
  /** Such as `https://api.asaas.com/v3`. */
  baseUrl: string;
  apiKey: string;
  userAgent: string;
  timeoutMs: number;
  clock: Clock;
}

export type AsaasClient = ReturnType<typeof createAsaasClient>;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Thrown when the gateway returned 404. */
export class NotThere extends GatewayRefused {}

/** Share of one process: the gateway allows 50 concurrent reads for the whole installation. */
const requestsAtOnce = 20;
const requestsWaiting = 100;
const maxAnswerBytes = 1_000_000;
const maxDescriptionLength = 500;
const defaultRetrySeconds = 30;
const maxRetrySeconds = 12 * 60 * 60;
/** Upper bound for Retry-After, so that one bad header cannot stop all payments. */
const maxHoldOffSeconds = 60;

export function createAsaasClient(options: AsaasClientOptions) {
  const within = createSlots(requestsAtOnce, requestsWaiting);
  let heldOffUntil = new Date(0);

  function refuseWhileHeldOff() {
    const seconds = Math.ceil((heldOffUntil.getTime() - options.clock.now().getTime()) / 1000);
    if (seconds > 0) throw new GatewayUnavailable('Asaas rate limit reached', seconds);
  }

  async function send(method: Method, path: string, body: unknown) {
    refuseWhileHeldOff();
    try {
      const response = await fetch(`${options.baseUrl}${path}`, {
        method,
        headers: {
          access_token: options.apiKey,
          'user-agent': options.userAgent,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // Following a redirect would send the key to another host.
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      return { status: response.status, headers: response.headers, text: await textOf(response) };
    } catch (error) {
      throw new GatewayUnavailable(`Asaas did not respond to ${method} ${path}`, defaultRetrySeconds, error);
    }
  }

  return async function ask<Schema extends z.ZodType>(
    method: Method,
    path: string,
    schema: Schema,
    body?: unknown,
  ): Promise<z.output<Schema>> {
    const { status, headers, text } = await within(() => send(method, path, body));
    const request = `${method} ${path}`;
    if (status === 429) {
      const seconds = secondsToWait(headers);
      heldOffUntil = secondsAfter(options.clock.now(), Math.min(seconds, maxHoldOffSeconds));
      throw new GatewayUnavailable(`Asaas returned 429 for ${request}`, seconds);
    }
    if (status >= 200 && status < 300) return parsed(schema, text, request);
    const description = descriptionIn(text);
    if (status === 404) throw new NotThere(description ?? `Asaas returned 404 for ${path}`);
    // Authentication errors are retryable: the same request succeeds once the operator has fixed the key.
    if (status >= 500 || status < 400 || status === 401 || status === 403 || status === 408) {
      const reason = description ? `: ${description}` : '';
      throw new GatewayUnavailable(
        `Asaas returned ${status} for ${request}${reason}`,
        secondsToWait(headers),
      );
    }
    throw new GatewayRefused(description ?? `Asaas rejected ${request} with ${status}`);
  };
}

async function textOf(response: Response): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error(`The response exceeds ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, request: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new GatewayUnavailable(
      `Asaas returned an unexpected response for ${request}`,
      defaultRetrySeconds,
      error,
    );
  }
}

function descriptionIn(text: string): string | undefined {
  try {
    const { errors } = asaasErrors.parse(JSON.parse(text));
    return errors
      .map((error) => error.description)
      .join(' ')
      .slice(0, maxDescriptionLength);
  } catch {
    return undefined;
  }
}

function secondsToWait(headers: Headers): number {
  const header = headers.get('retry-after') ?? headers.get('ratelimit-reset') ?? '';
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : defaultRetrySeconds;
  return Math.min(Math.max(seconds, 1), maxRetrySeconds);
}
