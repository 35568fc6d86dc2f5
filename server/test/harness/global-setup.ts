import type { TestProject } from 'vitest/node';
import { startTestServices } from '../../../tools/dev/test-services.ts';
import { buildTemplate } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseOwnerUrl: string;
    redisUrl: string;
    template: string;
  }
}

/** Starts PostgreSQL and Redis for all tests and makes the database that each of them clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = await startTestServices();
  project.provide('databaseOwnerUrl', services.databaseOwnerUrl);
  project.provide('redisUrl', services.redisUrl);
  project.provide('template', await buildTemplate(services.databaseOwnerUrl));
  return services.stop;
}
