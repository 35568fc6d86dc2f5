import { readFile, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { figures } from '../server/src/main/observe/figures.ts';
import type { Alert } from './observability/alert.ts';
import { alertsOfCalls } from './observability/alerts-of-calls.ts';
import { alertsOfProcesses } from './observability/alerts-of-processes.ts';
import { alertsOfWork } from './observability/alerts-of-work.ts';
import { dashboards } from './observability/dashboards.ts';
import { grafanaJson } from './observability/grafana.ts';
import { alertTable, figureTable, withTables } from './observability/tables.ts';

/**
 * Writes what Prometheus and Grafana read, and the tables of docs/operate/monitor.md, from the alerts, dashboards and
 * figures that are described in code; with --check it only says whether they agree.
 */
const root = new URL('../', import.meta.url);
const folder = 'deploy/observability';
const manual = 'docs/operate/monitor.md';

const groups = { processes: alertsOfProcesses, calls: alertsOfCalls, work: alertsOfWork };
const alerts = Object.values(groups).flat();

const annotationsOf = ({ summary, action }: Alert) => ({ summary, action });

const rules = {
  groups: Object.entries(groups).map(([name, members]) => ({
    name: `disca-${name}`,
    rules: members.map((alert) => ({
      alert: alert.name,
      expr: alert.when,
      for: alert.lasting,
      labels: { severity: alert.severity },
      annotations: annotationsOf(alert),
    })),
  })),
};

const tests = {
  rule_files: ['alerts.yml'],
  evaluation_interval: '1m',
  tests: alerts.flatMap((alert) => [
    testOf(`${alert.name} fires`, alert, alert.fires, [
      {
        exp_labels: { severity: alert.severity, ...alert.fires.labels },
        exp_annotations: annotationsOf(alert),
      },
    ]),
    testOf(`${alert.name} is silent`, alert, alert.silent, []),
  ]),
};

function testOf(name: string, alert: Alert, { series, at }: Alert['silent'], expected: object[]): object {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    alert_rule_test: [{ eval_time: at, alertname: alert.name, exp_alerts: expected }],
  };
}

const banner = '# Made by tools/observability.ts; change it there.\n';
const yaml = (value: object): string => banner + stringify(value, { lineWidth: 110 });

const files: Record<string, string> = {
  [`${folder}/alerts.yml`]: yaml(rules),
  [`${folder}/alerts.test.yml`]: yaml(tests),
  ...Object.fromEntries(
    dashboards.map((dashboard) => [
      `${folder}/dashboards/${dashboard.file}.json`,
      `${JSON.stringify(grafanaJson(dashboard), null, 2)}\n`,
    ]),
  ),
  [manual]: withTables(await readFile(new URL(manual, root), 'utf8'), {
    figures: figureTable(figures),
    alerts: alertTable(alerts),
  }),
};

for (const [path, text] of Object.entries(files)) {
  const place = new URL(path, root);
  const current = await readFile(place, 'utf8').catch(() => '');
  if (current === text) continue;
  if (!process.argv.includes('--check')) await writeFile(place, text);
  else {
    process.stderr.write(`${path} is not in step with the code. Run: node tools/observability.ts\n`);
    process.exitCode = 1;
  }
}
