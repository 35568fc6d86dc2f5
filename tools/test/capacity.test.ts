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

test('docs/scale.md has the figures and the example as the script prints them', () => {
  expect(document).toContain(figuresTable());
  expect(document).toContain(capacityReport(large));
});

test('every test that docs/scale.md names exists', () => {
  const names = [...document.matchAll(/`(server\/test\/[^`]+)`/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !existsSync(join(repository, name)))).toEqual([]);
});

test('no cell is larger than one that was tried', () => {
  for (const demand of [large, { phones: 100_001, callsPerSecond: 1 }, { phones: 10, callsPerSecond: 500 }]) {
    const { cells, phones, callsPerSecond } = planFor(demand);
    expect(phones).toBeLessThanOrEqual(tried.phonesACell);
    expect(callsPerSecond).toBeLessThanOrEqual(tried.callsPerSecondACell);
    expect(phones * cells).toBeCloseTo(demand.phones);
  }
});

test('a small demand is one cell, with two of everything', () => {
  const { cells, parts } = planFor({ phones: 100, callsPerSecond: 1 });
  expect(cells).toBe(1);
  expect(parts.every(({ machines }) => machines === 2)).toBe(true);
});

test('what is not asked for costs nothing, and twice the calls cost a media node twice as much', () => {
  const once = planFor({ phones: 0, callsPerSecond: 10 });
  const twice = planFor({ phones: 0, callsPerSecond: 20 });
  expect(coresOf(twice, 'media node')).toBeCloseTo(2 * coresOf(once, 'media node'));
  const silent = planFor({ phones: 1_000, callsPerSecond: 0 });
  expect([coresOf(silent, 'media node'), silent.megabitsPerSecond, silent.recordingsTerabytes]).toEqual([
    0, 0, 0,
  ]);
});

test('emptier cores need more machines', () => {
  const usual = planFor(large);
  const careful = planFor(large, { ...usualAssumptions, fill: usualAssumptions.fill / 2 });
  expect(careful.machines).toBeGreaterThan(usual.machines);
});
