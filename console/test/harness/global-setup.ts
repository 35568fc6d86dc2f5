import type { TestProject } from 'vitest/node';
import { setup as startServices } from '../../../server/test/harness/global-setup.ts';
import { buildConsole } from '../../../tools/dev/console-build.ts';
import { makeVoiceNetwork } from './voice-network.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    consoleDir: string;
  }
}

/** Starts the services of all tests and the voice network, and builds the console. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await makeVoiceNetwork();
  const stop = await startServices(project);
  project.provide('consoleDir', await buildConsole());
  return stop;
}
