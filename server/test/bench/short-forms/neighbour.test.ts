import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inDev, root } from '../../../../tools/dev/paths.ts';
import { capture } from '../../../../tools/dev/run-command.ts';
import { refusals } from '../../scenarios/neighbour/attacks.ts';

const stateDir = inDev('neighbour-short');
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

test('LIMIT-19 LIMIT-24 an account that attacks every budget is refused, and its neighbour has no faults', async () => {
  const { exitCode, output } = await capture(join(root, 'dev'), ['neighbour', '--short'], {
    env: { DISCA_STATE_DIR: stateDir },
  });
  expect(output).not.toMatch(/^(FAULT|not refused)/m);
  expect(exitCode, output).toBe(0);
  for (const [resource, code] of Object.entries(refusals))
    expect(output).toMatch(new RegExp(`^\\| ${resource} \\| .*\\d × \\d+ ${code}`, 'm'));
});
