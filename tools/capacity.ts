import { parseArgs } from 'node:util';
import { type Assumptions, usualAssumptions } from './capacity/plan.ts';
import { capacityReport, figuresTable } from './capacity/tables.ts';

/**
 * Computes the capacity for a number of phones and calls from measured costs. Every assumption is an option, such as
 * `--talk-seconds 180`; `--figures` prints the measured costs.
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
  if (!(value >= 0)) throw new Error(`--${option} must be a number, 0 or more.`);
  return value;
};
const assumptions = Object.fromEntries(
  assumed.map(([name]) => [name, numberOf(optionOf(name))]),
) as Assumptions;
const demand = { phones: numberOf('phones'), callsPerSecond: numberOf('calls-per-second') };
console.log(values.figures ? figuresTable() : capacityReport(demand, assumptions));
