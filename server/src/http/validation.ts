import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';
import { didYouMean } from '../platform/did-you-mean.ts';
import { type Fault, Refusal } from '../platform/errors.ts';
import { readField } from './handling/read-field.ts';
import { versionPrefix } from './version.ts';

/** Limit of reported errors, so that a response is not larger than its request; bulk bodies may report more. */
const maxFaults = 100;
const maxFaultsFor = (schema: z.ZodType): number => Number(schema.meta()?.['x-most-faults'] ?? maxFaults);

/** Refuses all query parameters on API routes that declare none. */
export function refuseUndeclaredQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(versionPrefix))
      route.schema = { querystring: z.strictObject({}), ...route.schema };
  });
}

/** Makes routes that declare the response 204 respond with it unless they fail. */
export function respondWithoutBody(app: FastifyInstance): void {
  app.addHook('preHandler', async (request, reply) => {
    const { response } = request.routeOptions.schema ?? {};
    if (typeof response === 'object' && response && '204' in response) reply.code(204);
  });
}

/** Validates requests with Zod and reports all errors in one response. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (given) => {
    // Fastify represents a missing body as null.
    const data: unknown = httpPart === 'body' ? (given ?? undefined) : given;
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    const faults = result.error.issues
      .flatMap((issue) => faultsOf(schema, data, issue))
      .slice(0, maxFaultsFor(schema));
    return { error: httpPart === 'querystring' ? queryRefusal(faults) : bodyRefusal(faults) };
  };
};

/** Validates responses: undeclared fields are never sent. Schemas describe responses as they are, without transforms. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  return (data) => JSON.stringify(schema.parse(data));
};

const bodyRefusal = (details: Fault[]): Refusal =>
  new Refusal('VALIDATION_ERROR', details.map((fault) => fault.message).join(' '), { details });

/**
 * Returns the refusal of unknown query parameters, which have their own 400 because nothing in a request is silently
 * ignored.
 */
function queryRefusal(faults: Fault[]): Refusal {
  const unknown = faults.find((fault) => fault.code === 'unknown_field');
  if (!unknown) return bodyRefusal(faults);
  return new Refusal('UNKNOWN_PARAMETER', unknown.message.replace('field', 'query parameter'));
}

function faultsOf(schema: z.ZodType, data: unknown, issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'custom' && valueAt(data, issue.path) === undefined) {
    return [{ path, code: 'required', message: `\`${path || 'body'}\` is required.` }];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, maxFaults).map((key) => unknownField(schema, issue.path, key));
    case 'invalid_type':
      return [
        { path, code: issue.code, message: `\`${path || 'body'}\` must be ${article(issue.expected)}.` },
      ];
    case 'invalid_value':
      return [
        { path, code: 'invalid_value', message: `\`${path}\` must be one of ${issue.values.join(', ')}.` },
      ];
    case 'too_small':
    case 'too_big':
      return [{ path, code: issue.code, message: `\`${path}\` ${ownText(issue) ?? boundOf(issue)}.` }];
    case 'custom':
      return [
        { path, code: String(issue.params?.code ?? 'invalid'), message: `\`${path}\` ${issue.message}.` },
      ];
    default:
      return [{ path, code: issue.code, message: `\`${path}\` ${ownText(issue) ?? 'is invalid'}.` }];
  }
}

/** Returns the message that the schema defines for this error; Zod's own messages never begin with "must". */
const ownText = ({ message }: z.core.$ZodIssue): string | undefined =>
  message.startsWith('must ') ? message : undefined;

function valueAt(data: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step],
    data,
  );
}

function unknownField(schema: z.ZodType, at: PropertyKey[], key: string): Fault {
  const path = [...at.map(String), key].join('.');
  return {
    path,
    code: 'unknown_field',
    message: `Unknown field \`${path}\`.${didYouMean(key, fieldsAt(schema, at))}`,
  };
}

function fieldsAt(schema: z.ZodType, path: PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const step of [...path, undefined]) {
    current = readField(current).type;
    if (current instanceof z.ZodArray) {
      current = current.element;
      continue;
    }
    if (!(current instanceof z.ZodObject)) return [];
    if (step === undefined) return Object.keys(current.shape);
    current = current.shape[String(step)];
  }
  return [];
}

function boundOf(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const unit = issue.origin === 'string' ? ' characters long' : '';
  return issue.code === 'too_small'
    ? `must be at least ${issue.minimum}${unit}`
    : `must be at most ${issue.maximum}${unit}`;
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
