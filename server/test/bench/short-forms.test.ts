import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inDev, root } from '../../../tools/dev/paths.ts';
import { capture } from '../../../tools/dev/run-command.ts';

const stateDir = inDev('bench-short');

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

/** Short runs check that a benchmark works; their results mean nothing. */
test.each([
  ['calls', ['calls.capacity', 'calls.median', 'calls.processor']],
  ['edge', ['edge.tables.fresh', 'edge.logins', 'edge.storm', 'edge.storm.calls', 'edge.flood']],
  ['http', ['http.users-me']],
  ['ledger', ['ledger.hold-settle']],
  ['list', ['list.summary', 'list.first-page', 'list.cursor-page']],
  ['request-log', ['request-log.read', 'request-log.refused', 'request-log.write']],
  ['search', ['search.number', 'search.name-and-number', 'search.metadata']],
  ['webhooks', ['webhooks.first']],
  ['webhooks-fairness', ['webhooks.fairness']],
])('./dev bench %s --short works', { timeout: 600_000 }, async (name, ratios) => {
  const { exitCode, output } = await capture(join(root, 'dev'), ['bench', name, '--short'], {
    env: { DISCA_STATE_DIR: stateDir },
  });
  expect(output, output).toMatch(/^ratio /m);
  expect(exitCode, output).toBe(0);
  for (const ratio of ratios)
    expect(output).toMatch(new RegExp(`^ratio ${ratio.replaceAll('.', '\\.')} -?\\d`, 'm'));
});
