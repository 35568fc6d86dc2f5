import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import openapiTypes from 'openapi-typescript';
import { describeApi } from './docs/describe-api.ts';

/**
 * Writes the types of the console's API client from the description of the API; with --check it only says whether they
 * agree.
 */
const file = resolve(import.meta.dirname, '../console/src/api/generated/schema.d.ts');

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

const description = withoutRepetition(JSON.parse(JSON.stringify(await describeApi())) as Described);
const text = await openapiTypes(description as never);
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      'The types of the console are not in step with the API. Run: node tools/console-types.ts\n',
    );
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
