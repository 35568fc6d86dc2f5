import { Command } from 'commander';
import type { CostByExtension } from '../../sdk/src/index.ts';
import { answer, reais, sheet, table, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';

interface Options extends Connection {
  month?: string;
}

export const statementCommand = (): Command =>
  withJson(withConnection(new Command('statement')))
    .description('show what changed the balance in a month, and what calls cost by extension and person')
    .option('--month <month>', 'month such as 2026-11; default: the current one')
    .action(async (options: Options) => {
      const disca = connect(options);
      const { month } = options;
      const byExtension = await disca.request('get', '/accounts/statement/by-extension', {
        query: month === undefined ? {} : { month },
      });
      const { since, until } = byExtension;
      const totals = await disca.request('get', '/accounts/statement/totals', { query: { since, until } });
      const { charges, refunds, chargebacks, adjustments } = totals;
      const sums = sheet({
        month: byExtension.month,
        'opening balance': reais(totals.openingBalance),
        'credit added': reais(charges),
        'spent on calls': reais(totals.calls),
        'refunds and adjustments': reais(refunds + chargebacks + adjustments),
        'closing balance': reais(totals.closingBalance),
      });
      const calls = table(rowsOf(byExtension), 'No calls.');
      answer(options, { totals, byExtension }, `${sums}\n\n${calls}`);
    });

const rowsOf = ({ data, otherCalls, total }: CostByExtension) =>
  total.calls === 0
    ? []
    : [
        ...data.map(({ extension, name, email, ...use }) => row(extension, name || email, use)),
        ...(otherCalls.calls > 0
          ? [row('', 'other calls', { ...otherCalls, answered: otherCalls.calls, talkSeconds: 0 })]
          : []),
        row('', 'total', total),
      ];

const row = (extension: string, name: string, use: CostByExtension['total']) => ({
  extension,
  name,
  calls: use.calls,
  answered: use.answered,
  minutes: (use.talkSeconds / 60).toFixed(2),
  amount: reais(use.amount),
});
