import { type CsvFormat, csvHeader, csvLine, excelPhone, excelTime } from '../../../platform/csv.ts';
import type { StatementLine } from './list-statement.ts';

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

type Line = Partial<StatementLine>;

const types: Record<StatementLine['type'], string> = {
  charge: 'Recarga',
  refund: 'Estorno',
  chargeback: 'Contestação',
  adjustment: 'Ajuste do operador',
  call: 'Chamada',
};

interface Column {
  title: string;
  cell: (line: Line, timeZone: string) => string | number | null | undefined;
}

/** The columns of the file for Brazilian spreadsheets. */
const excelColumns: Column[] = [
  { title: 'Data', cell: ({ createdAt }, timeZone) => excelTime(createdAt ?? null, timeZone) },
  { title: 'Tipo', cell: ({ type }) => type && types[type] },
  { title: 'Ramal', cell: ({ call }) => call?.from },
  { title: 'Pessoa', cell: ({ call }) => call?.name },
  { title: 'Para', cell: ({ call }) => call && excelPhone(call.to) },
  { title: 'Duração (s)', cell: ({ call }) => call?.duration },
  { title: 'Valor (R$)', cell: ({ amount }) => amount },
  { title: 'Saldo (R$)', cell: ({ balance }) => balance },
  { title: 'Descrição', cell: ({ type, description }) => (type === 'call' ? '' : description) },
  { title: 'Referência', cell: ({ reference }) => reference },
  { title: 'Lançamento', cell: ({ number }) => number },
];

export function statementCsv(lines: Line[], format: CsvFormat, timeZone: string): string {
  if (format === 'excel-br') {
    const rows = lines.map((line) => excelColumns.map(({ cell }) => cell(line, timeZone)));
    const titles = excelColumns.map(({ title }) => title);
    return csvHeader(titles, format) + rows.map((row) => csvLine(row, format)).join('');
  }
  return [columns, ...lines.map((line) => columns.map((column) => line[column]))]
    .map((row) => csvLine(row))
    .join('');
}
