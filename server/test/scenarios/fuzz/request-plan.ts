import type { Operation } from '../../harness/operations.ts';
import { type Reference, resolve } from './references.ts';

/** The sender of a request, and the header that carries the token. */
export interface Identity {
  who: 'ADMIN' | 'USER' | 'anonymous' | 'unknown-token';
  header: 'authorization' | 'bearer' | 'x-access-token';
}

/** A generated request with unresolved references. */
export interface RequestPlan {
  operation: Operation;
  identity: Identity;
  path: Record<string, unknown>;
  query: [string, unknown][];
  /** Inserted into the URL unchanged. */
  rawQuery?: string | Reference;
  body?: unknown;
  /** Sent unchanged instead of the body. */
  rawBody?: string;
  headers: Record<string, string>;
  /** Sent twice concurrently, as clients occasionally do. */
  twice: boolean;
}

export interface WireRequest {
  method: string;
  path: string;
  raw: string | undefined;
  headers: Record<string, string>;
}

/** Returns the request to send, with every reference resolved. */
export function toWire(plan: RequestPlan, lookUp: (reference: Reference) => unknown): WireRequest {
  const text = (value: unknown): string => {
    const resolved = resolve(value, lookUp);
    return typeof resolved === 'string' ? resolved : (JSON.stringify(resolved) ?? '');
  };
  const path = Object.entries(plan.path).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, () => encode(text(value)) || '%20'),
    plan.operation.path,
  );
  const query = plan.query.map(([name, value]) => `${encode(name)}=${encode(text(value))}`);
  const { rawQuery } = plan;
  if (rawQuery !== undefined) query.push(typeof rawQuery === 'string' ? rawQuery : text(rawQuery));
  const whole = query.join('&');
  const raw =
    plan.rawBody ?? (plan.body === undefined ? undefined : JSON.stringify(resolve(plan.body, lookUp)));
  return {
    method: plan.operation.method,
    path: whole === '' ? path : `${path}?${whole}`,
    raw,
    headers: { ...(raw === undefined ? {} : { 'content-type': 'application/json' }), ...plan.headers },
  };
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
