import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tried } from '../capacity/figures.ts';
import { planFor, usualAssumptions } from '../capacity/plan.ts';
import { capacityReport, figuresTable } from '../capacity/tables.ts';

const repository = resolve(import.meta.dirname, '../..');
const document = readFileSync(join(repository, 'docs/scale.md'), 'utf8');
const large = { phones: 1_000_000, callsPerSecond: 1_000 };

const coresOf = (plan: ReturnType<typeof planFor>, part: string): number =>
  plan.parts.find((each) => each.part === part)?.busyCores ?? Number.NaN;

test('docs/scale.md contains the tables that the script prints', () => {
  expect(document).toContain(figuresTable());
  expect(document).toContain(capacityReport(large));
});

test('every test named in docs/scale.md exists', () => {
  const names = [...document.matchAll(/`(server\/test\/[^`]+)`/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !existsSync(join(repository, name)))).toEqual([]);
});

test('no cell is larger than the largest tested one', () => {
  for (const demand of [large, { phones: 100_001, callsPerSecond: 1 }, { phones: 10, callsPerSecond: 500 }]) {
    const { cells, phones, callsPerSecond } = planFor(demand);
    expect(phones).toBeLessThanOrEqual(tried.phonesACell);
    expect(callsPerSecond).toBeLessThanOrEqual(tried.callsPerSecondACell);
    expect(phones * cells).toBeCloseTo(demand.phones);
  }
});

test('plans one cell with two machines per service, and three databases, for a small demand', () => {
  const { cells, parts } = planFor({ phones: 100, callsPerSecond: 1 });
  expect(cells).toBe(1);
  expect(parts.every(({ part, machines }) => machines === (part === 'PostgreSQL' ? 3 : 2))).toBe(true);
});

test('cost is zero without load and proportional to calls on media nodes', () => {
  const once = planFor({ phones: 0, callsPerSecond: 10 });
  const twice = planFor({ phones: 0, callsPerSecond: 20 });
  expect(coresOf(twice, 'media node')).toBeCloseTo(2 * coresOf(once, 'media node'));
  const silent = planFor({ phones: 1_000, callsPerSecond: 0 });
  expect([coresOf(silent, 'media node'), silent.megabitsPerSecond, silent.recordingsTerabytes]).toEqual([
    0, 0, 0,
  ]);
});

test('lower CPU utilisation needs more machines', () => {
  const usual = planFor(large);
  const careful = planFor(large, { ...usualAssumptions, fill: usualAssumptions.fill / 2 });
  expect(careful.machines).toBeGreaterThan(usual.machines);
});
