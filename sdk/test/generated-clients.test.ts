import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedPlatform } from '../../server/test/harness/platform.ts';
import { installGenerators, runGenerator } from './generated-clients/generators.ts';
import { generators, tsconfig } from './generated-clients/programs.ts';

/** The first installation downloads about 100 MB. */
const installMs = 600_000;

let installed: string;
let folder: string;
beforeAll(async () => {
  installed = await installGenerators();
  folder = await mkdtemp(join(tmpdir(), 'disca-clients-'));
  const { status, text } = await (await sharedPlatform()).client().get('/openapi.json');
  expect(status).toBe(200);
  await writeFile(join(folder, 'openapi.json'), text);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
}, installMs);
afterAll(async () => await rm(folder, { recursive: true, force: true }));

test('COMPAT-11 openapi-typescript, hey-api and orval generate clients that compile', async () => {
  for (const [name, { program, args, use }] of Object.entries(generators)) {
    await runGenerator(installed, folder, program, args);
    await writeFile(join(folder, name, 'use.ts'), use);
  }
  await runGenerator(installed, folder, 'tsc', ['--project', folder]);
});
