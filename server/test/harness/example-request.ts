import { randomBytes, randomInt } from 'node:crypto';
import type { RequestOptions } from './client.ts';
import type { JsonSchema } from './contract.ts';
import { exampleTotpSecret, totpCode } from './factors.ts';
import {
  findReference,
  listProperties,
  type Operation,
  type Parameter,
  referencePlaces,
} from './operations.ts';

/** Returns the object that a request refers to, by kind. */
export type References = (kind: string) => string;

export interface ExampleRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** Builds a valid request from the examples in the API description; an operation without one fails here. */
export function exampleRequest(operation: Operation, references: References): ExampleRequest {
  const choose = (where: string, schema: JsonSchema, isRequired: boolean): unknown => {
    const kind = findReference(schema);
    const value = kind === undefined ? buildExample(schema) : referred(kind, references(kind));
    if (value === undefined && isRequired) throw new Error(`${operation.name} has no example for ${where}.`);
    return value;
  };
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const path = inPath.reduce(
    (filled, each) =>
      filled.replace(`{${each.name}}`, encodeURIComponent(String(choose(each.name, each.schema, true)))),
    operation.path,
  );
  const query = operation.parameters
    .filter((each) => each.in === 'query')
    .flatMap((each) => given(each, choose(each.name, each.schema, each.required)));
  const required = (operation.body?.required ?? []) as string[];
  const body = listProperties(operation.body)
    .filter(([, schema]) => schema.readOnly !== true)
    .map(([name, schema]): [string, unknown] => [name, choose(name, schema, required.includes(name))])
    .filter(([, value]) => value !== undefined);
  const isGatewayEvent = operation.body?.['x-kind'] === 'gateway-event';
  const isSsoCallback = referencePlaces(operation).some(({ kind }) => kind === 'sso-callback');
  return {
    method: operation.method,
    path,
    query: Object.fromEntries(query),
    headers: {
      // A payment gateway authenticates by signing its notification.
      ...(isGatewayEvent ? { 'sandbox-signature': references('gateway-signature') } : {}),
      // A browser returns from the identity provider with the cookie that it got at the start.
      ...(isSsoCallback ? { cookie: references('sso-cookie') } : {}),
    },
    body: isGatewayEvent ? { ...gatewayEvent } : operation.body && Object.fromEntries(body),
  };
}

/** References are texts; the answer of a device is an object. */
const referred = (kind: string, value: string): unknown =>
  kind === 'passkey-registration' && value.startsWith('{') ? JSON.parse(value) : value;

const given = (parameter: Parameter, value: unknown): [string, string][] =>
  value === undefined ? [] : [[parameter.name, asText(value)]];

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const gatewayEvent = { id: 'evt_example', event: 'PAYMENT_RECEIVED', payment: { id: 'pay_example' } };

/** Values that are converted on input lose their example in the generated description. */
const examplesOfConverted: Record<string, string> = {
  page: '1',
  destination: '5511987654321',
  'tax-id': '11222333000181',
};
const hourMs = 3600 * 1000;
const threeDaysMs = 3 * 24 * hourMs;

function buildExample(schema: JsonSchema): unknown {
  const unique = randomBytes(6).toString('hex');
  const [example] = (schema.examples ?? []) as unknown[];
  const converted = examplesOfConverted[String(schema['x-kind'])];
  if (converted !== undefined) return converted;
  if (schema['x-kind'] === 'due-date') return new Date(Date.now() + threeDaysMs).toISOString().slice(0, 10);
  if (schema['x-kind'] === 'window-start') return new Date(Date.now() - hourMs).toISOString();
  if (schema['x-kind'] === 'window-end') return new Date(Date.now() + hourMs).toISOString();
  if (schema['x-kind'] === 'account-domain') return `d${unique}${String(example).replace(/^[^.]*/, '')}`;
  if (schema['x-kind'] === 'totp-code') return totpCode(exampleTotpSecret);
  if (schema['x-kind'] === 'ramal') return uniqueRamal();
  if (schema['x-kind'] === 'extension-rows') return [exampleRow()];
  if (schema.format === 'email') return `p${unique}@example.com`;
  return example;
}

/** Returns a unique ramal: it must be unique per account, and every request must succeed. */
const uniqueRamal = (): string => String(randomInt(10_000_000, 99_999_999));

const exampleRow = () => ({
  ramal: uniqueRamal(),
  senha: 'k8Zr-2mQx-71',
  first_name: 'Ana',
  last_name: 'Souza',
  email_address: 'ana@example.com',
  gravar_audio: 1,
});

export function unknownKind(kind: string): never {
  throw new Error(`Unknown kind ${kind}: add it to server/test/scenarios/tenancy/kinds.ts.`);
}

export const requestOptions = ({ query, headers, body }: ExampleRequest): RequestOptions => ({
  headers,
  ...(Object.keys(query).length > 0 ? { query } : {}),
  ...(body === undefined ? {} : { body }),
});
