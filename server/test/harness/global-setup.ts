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

/** Starts PostgreSQL and Redis for all tests and builds the template database that tests clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = await startTestServices();
  project.provide('databaseOwnerUrl', services.databaseOwnerUrl);
  project.provide('redisUrl', services.redisUrl);
  project.provide('template', await buildTemplate(services.databaseOwnerUrl));
  return services.stop;
}
