import { figures } from './figures.ts';
import {
  type Assumptions,
  callsPerDay,
  type Demand,
  type Plan,
  planFor,
  rounded,
  usualAssumptions,
} from './plan.ts';

const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n');

export const figuresTable = (): string =>
  table(
    ['Operation', 'Cost', 'Measured by'],
    Object.values(figures).map(({ what, value, unit, measuredBy }) =>
      row(what, `${value} ${unit}`, measuredBy),
    ),
  );

/** Returns the report that `./dev capacity` prints and docs/scale.md contains. */
export function capacityReport(demand: Demand, assumptions: Assumptions = usualAssumptions): string {
  const plan = planFor(demand, assumptions);
  return [
    `${rounded(demand.phones)} phones, ${rounded(demand.callsPerSecond)} calls/s at the peak, ${rounded(callsPerDay(demand, assumptions))} calls per day: ${plan.cells} ${plan.cells === 1 ? 'cell' : 'cells'}.`,
    `Per cell: ${rounded(plan.phones)} phones, ${rounded(plan.callsPerSecond)} calls/s, ${rounded(plan.talks)} concurrent calls.`,
    partsTable(plan),
    totalsTable(plan),
  ].join('\n\n');
}

const partsTable = ({ parts }: Plan): string =>
  table(
    ['Service', 'Load per cell', 'Busy cores', 'Machines', 'Limiting factor'],
    parts.map(({ part, load, busyCores, machines, limitedBy }) =>
      row(part, load, rounded(busyCores), machines, limitedBy),
    ),
  );

const totalsTable = (plan: Plan): string =>
  table(
    ['', 'Per cell', 'All cells'],
    (
      [
        ['Machines', plan.machines],
        ['Cores', plan.cores],
        ['Memory, GB', plan.memoryGigabytes],
        ['Audio in and out, Mbit/s', plan.megabitsPerSecond],
        ['Call records, TB', plan.callsTerabytes],
        ['Stored recordings, TB', plan.recordingsTerabytes],
        ['Price per month', plan.price],
      ] as const
    ).map(([what, value]) => row(what, rounded(value), rounded(value * plan.cells))),
  );
