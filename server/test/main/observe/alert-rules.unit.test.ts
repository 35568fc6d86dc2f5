import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../../tools/dev/paths.ts';

const folder = join(root, 'deploy/observability');
const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: folder });
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'));

interface RuleTest {
  name: string;
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

test('Prometheus accepts the rules and the example configuration', async () => {
  expect((await promtool('check', 'rules', 'alerts.yml')).stdout).toContain('SUCCESS');
  expect((await promtool('check', 'config', 'prometheus.yml')).stdout).toContain('SUCCESS');
});

test('every alert fires and stays silent as its promtool tests expect', async () => {
  expect((await promtool('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
});

test('every alert has a test case in which it fires and one in which it does not', () => {
  const alerts = read('alerts.yml').groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
    rules.map(({ alert }) => alert),
  ) as string[];
  const cases = (read('alerts.test.yml').tests as RuleTest[]).flatMap(
    ({ alert_rule_test }) => alert_rule_test,
  );
  const having = (isWanted: (expected: number) => boolean): string[] =>
    cases.filter(({ exp_alerts }) => isWanted(exp_alerts.length)).map(({ alertname }) => alertname);
  expect(alerts.length).toBeGreaterThan(25);
  expect(having((expected) => expected > 0)).toEqual(alerts);
  expect(having((expected) => expected === 0)).toEqual(alerts);
});

test('every alert states its severity, what is wrong and what to check', () => {
  for (const { rules } of read('alerts.yml').groups)
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.action).toMatch(/\.$/);
    }
});
