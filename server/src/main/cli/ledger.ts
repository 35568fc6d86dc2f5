import { Command } from 'commander';
import { auditLedger } from '../../contexts/billing/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

export function ledgerCommands(): Command {
  const ledger = new Command('ledger').description('the ledger');
  withJson(
    ledger
      .command('audit')
      .description('recompute all balances from the entries and list differences; exits 1 if there are any'),
  ).action(async (options: { json?: boolean }) => {
    await asOperator(async (operator) => {
      const differences = await auditLedger(operator);
      const lines = differences.map((each) => Object.values(each).join('\t'));
      answer(options, differences, lines.length === 0 ? 'The ledger is clean.' : lines.join('\n'));
      if (differences.length > 0) process.exitCode = 1;
    });
  });
  return ledger;
}
