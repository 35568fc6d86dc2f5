import { figures } from './figures.ts';
import {
  type Assumptions,
  callsADay,
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
    ['What', 'Figure', 'Measured by'],
    Object.values(figures).map(({ what, value, unit, measuredBy }) =>
      row(what, `${value} ${unit}`, measuredBy),
    ),
  );

/** What `./dev capacity` prints, and docs/scale.md repeats. */
export function capacityReport(demand: Demand, assumptions: Assumptions = usualAssumptions): string {
  const plan = planFor(demand, assumptions);
  return [
    `${rounded(demand.phones)} phones, ${rounded(demand.callsPerSecond)} calls/s at the busiest moment, ${rounded(callsADay(demand, assumptions))} calls a day: ${plan.cells} ${plan.cells === 1 ? 'cell' : 'cells'}.`,
    `A cell: ${rounded(plan.phones)} phones, ${rounded(plan.callsPerSecond)} calls/s, ${rounded(plan.talks)} talks at once.`,
    partsTable(plan),
    totalsTable(plan),
  ].join('\n\n');
}

const partsTable = ({ parts }: Plan): string =>
  table(
    ['Part', 'Load of a cell', 'Busy cores', 'Machines', 'What limits it'],
    parts.map(({ part, load, busyCores, machines, limitedBy }) =>
      row(part, load, rounded(busyCores), machines, limitedBy),
    ),
  );

const totalsTable = (plan: Plan): string =>
  table(
    ['', 'A cell', 'All cells'],
    (
      [
        ['Machines', plan.machines],
        ['Cores', plan.cores],
        ['Memory, GB', plan.memoryGigabytes],
        ['Audio in and out, Mbit/s', plan.megabitsPerSecond],
        ['List of calls, TB', plan.callsTerabytes],
        ['Recordings kept, TB', plan.recordingsTerabytes],
        ['Price of a month', plan.price],
      ] as const
    ).map(([what, value]) => row(what, rounded(value), rounded(value * plan.cells))),
  );
