import { join } from 'node:path';
import { build } from 'rolldown';

/** Builds `cli/dist/disca.js`: a single file that requires only Node. */
export async function buildCli(): Promise<void> {
  await build({
    input: join(import.meta.dirname, 'integrator.ts'),
    platform: 'node',
    output: { file: join(import.meta.dirname, 'dist/disca.js'), format: 'esm' },
    logLevel: 'warn',
  });
}

if (import.meta.main) await buildCli();
