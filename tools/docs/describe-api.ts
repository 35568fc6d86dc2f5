import { join } from 'node:path';
import { type AppDeps, buildApp } from '../../server/src/http/app.ts';
import { defaultCrmNames } from '../../server/src/main/config.ts';
import { createLogger } from '../../server/src/platform/telemetry/log.ts';

/** Returns the OpenAPI document of the current code. The routes are not served, so no database is needed. */
export async function describeApi(): Promise<object> {
  const described: Partial<AppDeps> = {
    log: createLogger({ level: 'silent', process: 'description' }),
    publicUrl: 'http://localhost',
    consoleDir: join(import.meta.dirname, 'nothing'),
    consoleConnects: [],
    manualDir: join(import.meta.dirname, 'nothing'),
    trustedProxies: [],
    signupRules: { domainSuffix: '.disca.localhost', crmNames: defaultCrmNames, termsUrl: null },
    version: '0',
  };
  const app = await buildApp(described as AppDeps);
  await app.ready();
  return app.swagger();
}
