import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/** Builds `sdk/dist`, the content of the package: two JavaScript entry points and their types. */
export async function buildSdk(): Promise<void> {
  const here = import.meta.dirname;
  const dist = join(here, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await build({
    input: { index: join(here, 'src/index.ts'), webhooks: join(here, 'src/webhooks.ts') },
    platform: 'neutral',
    output: { dir: dist, format: 'esm', chunkFileNames: '[name].js' },
    logLevel: 'warn',
  });
  execFileSync('tsc', ['-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' });
  cpSync(join(here, '../LICENSE'), join(dist, 'LICENSE'));
}

if (import.meta.main) await buildSdk();
