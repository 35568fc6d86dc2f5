import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { payloads } from '../../src/contexts/webhooks/description/payload.schemas.ts';
import { createSchemaConverter } from '../../src/http/openapi/schemas.ts';
import { eventTypes } from '../../src/platform/event-types.ts';
import { nameSchemas } from '../../src/platform/schema-names.ts';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../harness/contract.ts';
import { sharedPlatform } from '../harness/platform.ts';

let document: OpenApiDocument;
let operations: [name: string, operation: OpenApiOperation][];
let faultsOf: (schema: JsonSchema, value: unknown) => string[];

beforeAll(async () => {
  document = (await (await sharedPlatform()).client().get('/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OpenApiOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  faultsOf = (schema, value) => {
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
    );
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };
});

test('COMPAT-11 every operation has an operationId of its own, a verb and a noun', () => {
  const webhooks = Object.values(document.webhooks).map(({ post }) => post.operationId);
  const ids = [...operations.map(([, { operationId }]) => operationId), ...webhooks];
  expect(ids.length).toBeGreaterThan(80);
  for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('COMPAT-11 the bodies of requests and responses are named schemas', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of ['Account', 'Call', 'Charge', 'Extension', 'Problem', 'User', 'WebhookDelivery'])
    expect(names).toContain(name);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);

  const bodies = operations.flatMap(([name, { requestBody, responses }]) => [
    [name, requestBody?.content['application/json'].schema],
    ...Object.entries(responses).map(([status, { content }]) => [
      `${name} ${status}`,
      content?.['application/json']?.schema,
    ]),
  ]);
  const unnamed = bodies.filter(([, schema]) => schema && !isNamed(schema as JsonSchema));
  expect(unnamed.map(([name]) => name)).toEqual([]);
});

/** A reference, or a list or alternative of references. An operation without a body also takes an empty object. */
function isNamed(schema: JsonSchema): boolean {
  if (schema.items) return isNamed(schema.items as JsonSchema);
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).every(isNamed);
  return '$ref' in schema || schema.type === 'null' || isEmpty(schema);
}

const isEmpty = ({ type, properties }: JsonSchema): boolean =>
  type === 'object' && Object.keys(properties ?? {}).length === 0;

test('COMPAT-11 every successful JSON response has an example that is valid', () => {
  let count = 0;
  for (const [name, { responses }] of operations)
    for (const [status, { content }] of Object.entries(responses)) {
      const json = content?.['application/json'];
      if (!json || !status.startsWith('2')) continue;
      expect(json.example, name).toBeDefined();
      expect(faultsOf(json.schema, json.example), name).toEqual([]);
      // The placeholder of a text that has neither `examples` nor an entry in `exampleValues`.
      expect(JSON.stringify(json.example), name).not.toContain('"text"');
      count += 1;
    }
  expect(count).toBeGreaterThan(50);
});

test('COMPAT-11 VERSION-02 every event type is described as a webhook with a signed example', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
  expect(eventTypes.length).toBeGreaterThanOrEqual(8);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} };
    expect(faultsOf(schema, example), type).toEqual([]);
    expect(example).toMatchObject({ eventType: type, version: '1.8' });
    const headers = Object.fromEntries((post.parameters ?? []).map((each) => [each.name, each.example]));
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const sent = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new Webhook('whsec_ZGlzY2EgZXhhbXBsZSBzZWNyZXQ=').sign(
      String(headers['webhook-id']),
      sent,
      JSON.stringify(example),
    );
    expect(headers['webhook-signature']).toBe(signature);
  }
});

test('COMPAT-11 the described webhooks have exactly the fields that are sent', () => {
  for (const type of eventTypes) {
    const example = document.webhooks[type]?.post.requestBody?.content['application/json'].example;
    const { test: _, ...sent } = example as Record<string, unknown>;
    expect(Object.keys(sent).toSorted(), type).toEqual(Object.keys(payloads[type].shape).toSorted());
  }
});

test('two different schemas cannot have the same name', () => {
  const [first, second] = [z.object({ a: z.string() }), z.object({ b: z.string() })];
  nameSchemas({ Twice: first });
  nameSchemas({ Twice: second });
  const { convert } = createSchemaConverter();
  convert(first, 'output');
  expect(() => convert(second, 'output')).toThrow('Two different schemas are named Twice.');
});
