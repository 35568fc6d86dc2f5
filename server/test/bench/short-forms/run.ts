import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { capture } from '../../../../tools/dev/run-command.ts';

/**
 * Tests the short forms of benchmarks, with the ratios that each prints. They check that a benchmark works; their
 * results mean nothing.
 */
export function testShortForms(folder: string, benches: [name: string, ratios: string[]][]): void {
  const stateDir = inDev(folder);
  afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

  test.each(benches)('./dev bench %s --short works', { timeout: 600_000 }, async (name, ratios) => {
    const { exitCode, output } = await capture(join(root, 'dev'), ['bench', name, '--short'], {
      env: { DISCA_STATE_DIR: stateDir },
    });
    expect(output, output).toMatch(/^ratio /m);
    expect(exitCode, output).toBe(0);
    for (const ratio of ratios)
      expect(output).toMatch(new RegExp(`^ratio ${ratio.replaceAll('.', '\\.')} -?\\d`, 'm'));
  });
}
