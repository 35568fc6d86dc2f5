import { join } from 'node:path';
import { build } from 'rolldown';

/** Makes `cli/dist/disca.js`: one file that needs nothing but Node. */
export async function buildCli(): Promise<void> {
  await build({
    input: join(import.meta.dirname, 'integrator.ts'),
    platform: 'node',
    output: { file: join(import.meta.dirname, 'dist/disca.js'), format: 'esm' },
    logLevel: 'warn',
  });
}

if (import.meta.main) await buildCli();
