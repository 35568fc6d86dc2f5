import { csvLine } from '../../../platform/csv.ts';

const columns = [
  'id',
  'number',
  'createdAt',
  'type',
  'reference',
  'description',
  'amount',
  'balance',
] as const;

type Line = Partial<Record<(typeof columns)[number], string | number>>;

export const statementCsv = (lines: Line[]): string =>
  [columns, ...lines.map((line) => columns.map((column) => line[column]))].map(csvLine).join('');
