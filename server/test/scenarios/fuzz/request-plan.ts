import type { Operation } from '../../harness/operations.ts';
import { type Reference, resolve } from './references.ts';

/** Who sends a request, and in which header the token goes. */
export interface Identity {
  who: 'ADMIN' | 'USER' | 'nobody' | 'stranger';
  header: 'authorization' | 'bearer' | 'x-access-token';
}

/** A generated request, still with references in it. */
export interface RequestPlan {
  operation: Operation;
  identity: Identity;
  path: Record<string, unknown>;
  query: [string, unknown][];
  /** Goes into the address as it is. */
  rawQuery?: string | Reference;
  body?: unknown;
  /** Goes over the wire as it is, instead of the body. */
  rawBody?: string;
  headers: Record<string, string>;
  /** Sent a second time at the same moment, because clients do that too. */
  twice: boolean;
}

export interface WireRequest {
  method: string;
  path: string;
  raw: string | undefined;
  headers: Record<string, string>;
}

/** The request as it is sent, with every reference looked up. */
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
