import { type CsvFormat, csvHeader, csvLine } from '../../../platform/csv.ts';
import type { ExtensionCost } from './cost-by-extension.ts';

const titles = {
  standard: ['extension', 'name', 'email', 'calls', 'answered', 'talkSeconds', 'minutes', 'amount'],
  'excel-br': [
    'Ramal',
    'Pessoa',
    'E-mail',
    'Chamadas',
    'Atendidas',
    'Conversa (s)',
    'Conversa (min)',
    'Valor (R$)',
  ],
};

const otherCallsName = { standard: 'Other calls', 'excel-br': 'Outras chamadas' };

/** Without a total line, so that the columns can be summed: they add up to the total. */
export function costCsv(
  { data, otherCalls }: { data: ExtensionCost[]; otherCalls: { calls: number; amount: number } },
  format: CsvFormat,
): string {
  const rows = data.map((row) => [
    row.extension,
    row.name,
    row.email,
    row.calls,
    row.answered,
    row.talkSeconds,
    Math.round((row.talkSeconds / 60) * 100) / 100,
    row.amount,
  ]);
  const { calls, amount } = otherCalls;
  const others = calls > 0 ? [['', otherCallsName[format], '', calls, calls, null, null, amount]] : [];
  return csvHeader(titles[format], format) + [...rows, ...others].map((row) => csvLine(row, format)).join('');
}
