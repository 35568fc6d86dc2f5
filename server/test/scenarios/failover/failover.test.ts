import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseAlerts } from '../../../../tools/observability/database-alerts.ts';
import { type FailoverDeployment, runFailover, startFailoverDeployment } from './failover.ts';

// How many requests are refused depends on the speed of the machine; `./dev failover` reports it.

let deployment: FailoverDeployment;
let hasFailed = true;

beforeAll(async () => {
  deployment = await startFailoverDeployment();
});
afterAll(async () => {
  await deployment?.stop(hasFailed);
});

test('Patroni and its disk check export the metrics that the alerts use', async () => {
  const used = databaseAlerts.flatMap(({ when }) => when.match(/(?:patroni|disca)_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(0);
  const { address } = deployment.cluster.hosts[0];
  const read = async (port: number): Promise<string> =>
    (await fetch(`http://${address}:${port}/metrics`)).text();
  const exported = `${await read(8008)}${await read(8009)}`;
  expect(used.filter((metric) => !new RegExp(`^${metric}[{ ]`, 'm').test(exported))).toEqual([]);
});

test('CALL-08 LEDGER-06 ERR-15 a planned switchover of the database loses nothing, and calls continue', async () => {
  const report = await runFailover(deployment, 'planned switchover');
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(10);
  expect(report.doctor).toBe('ok: 2 standbys, 1 of which confirms every commit');
});

test('CALL-08 LEDGER-06 the power loss of the primary loses nothing that was accepted, and calls continue', async () => {
  const report = await runFailover(deployment, 'power loss of the primary');
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(10);
  expect(report.doctor).toBe('warning: 1 of 2 standbys is connected; the loss of it stops all writes');
  hasFailed = false;
});
