import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import openapiTypes from 'openapi-typescript';
import { statusOf } from '../server/src/http/problems.ts';
import { errorCodes } from '../server/src/platform/errors.ts';
import { describeApi } from './docs/describe-api.ts';

/**
 * Writes the API types of the SDK, which the console also uses, from the OpenAPI document. With --check only reports
 * whether they are up to date.
 */
const root = resolve(import.meta.dirname, '..');

interface Described {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { headers?: object; content?: object }> }>
  >;
}

/** Refusals all look alike and headers are read by one place, so neither is repeated for every operation. */
function withoutRepetition(document: Described): Described {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const kept = Object.entries(operation.responses).filter(([status]) => Number(status) < 300);
    const refused = { $ref: '#/components/schemas/Problem' };
    operation.responses = {
      ...Object.fromEntries(kept.map(([status, { headers: _, ...response }]) => [status, response])),
      default: { description: 'Refused.', content: { 'application/json': { schema: refused } } },
    } as typeof operation.responses;
  }
  return document;
}

/** The generator drops 0 and false of choices that are of several kinds, so each kind is told by itself. */
function withTypedChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTypedChoices);
  if (typeof value !== 'object' || value === null) return value;
  const told = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withTypedChoices(each)]),
  );
  const { enum: choices, ...rest } = told;
  if (!Array.isArray(choices) || 'type' in rest) return told;
  const kinds = [...new Set(choices.map((choice) => typeof choice))];
  return {
    ...rest,
    anyOf: kinds.map((type) => ({ type, enum: choices.filter((choice) => typeof choice === type) })),
  };
}

/** A code's status is known before an answer comes, so that types can tell one refusal from another. */
function codesText(): string {
  const rows = errorCodes.map((code) => `  ${code}: ${statusOf(code)},`).join('\n');
  return `/** Every \`errorCode\` and its HTTP status. Made by tools/api-types.ts. */\nexport const errorStatuses = {\n${rows}\n} as const;\n`;
}

const document = withTypedChoices(JSON.parse(JSON.stringify(await describeApi())));
const description = withoutRepetition(document as Described);
const types = await openapiTypes(description as never);
const made: Record<string, string> = {
  'sdk/src/generated/schema.ts': types,
  'sdk/src/generated/error-codes.ts': codesText(),
};

function isStale(name: string, text: string): boolean {
  const file = join(root, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
}

const stale = Object.entries(made).filter(([name, text]) => isStale(name, text));
if (process.argv.includes('--check')) {
  for (const [name] of stale) process.stderr.write(`${name} is not in step with the API.\n`);
  if (stale.length > 0) {
    process.stderr.write(`Run: node ${relative(root, import.meta.filename)}\n`);
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of stale) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}
