import { parseArgs } from 'node:util';
import { type Assumptions, usualAssumptions } from './capacity/plan.ts';
import { capacityReport, figuresTable } from './capacity/tables.ts';

/**
 * What so many phones and calls need, from the figures that were measured. Every assumption is an option of its own, as
 * `--talk-seconds 180`; `--figures` prints what was measured.
 */
const optionOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const assumed = Object.entries(usualAssumptions);
const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '1000000' },
    'calls-per-second': { type: 'string', default: '1000' },
    figures: { type: 'boolean', default: false },
    ...Object.fromEntries(
      assumed.map(([name, value]) => [optionOf(name), { type: 'string' as const, default: String(value) }]),
    ),
  },
});

const given: Record<string, unknown> = values;
const numberOf = (option: string): number => {
  const value = Number(given[option]);
  if (!(value >= 0)) throw new Error(`--${option} is a number.`);
  return value;
};
const assumptions = Object.fromEntries(
  assumed.map(([name]) => [name, numberOf(optionOf(name))]),
) as Assumptions;
const demand = { phones: numberOf('phones'), callsPerSecond: numberOf('calls-per-second') };
console.log(values.figures ? figuresTable() : capacityReport(demand, assumptions));
