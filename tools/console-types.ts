import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import openapiTypes from 'openapi-typescript';
import { type AppDeps, buildApp } from '../server/src/http/app.ts';
import { createLogger } from '../server/src/platform/log.ts';

/**
 * Writes the types of the console's API client from the description of the API; with --check it only says whether they
 * agree. The routes are described without being served, so that no store is needed.
 */
const file = resolve(import.meta.dirname, '../console/src/api/generated/schema.d.ts');

async function describe(): Promise<object> {
  const described: Partial<AppDeps> = {
    log: createLogger({ level: 'silent', process: 'types' }),
    publicUrl: 'http://localhost',
    consoleDir: join(import.meta.dirname, 'nothing'),
    consoleConnects: [],
    trustedProxies: [],
    signupRules: { domainSuffix: '.disca.localhost', crmNames: ['Outros'] },
    version: '0',
  };
  const app = await buildApp(described as AppDeps);
  await app.ready();
  return app.swagger();
}

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

const description = withoutRepetition(JSON.parse(JSON.stringify(await describe())) as Described);
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
