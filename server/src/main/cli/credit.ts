import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { showAccount } from '../../contexts/accounts/index.ts';
import { adjustCredit } from '../../contexts/billing/index.ts';
import { inAccount } from '../../platform/db/database.ts';
import { microsFromReais, reaisFromMicros } from '../../platform/money.ts';
import { answer, asOperator, withJson } from './operator.ts';

function reais(text: string): number {
  if (!/^[+-]?\d{1,9}(\.\d{1,4})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('Expected an amount in reais such as 25.50, or -25.50 to remove credit.');
  }
  return Number(text);
}

export function creditCommands(): Command {
  const credit = new Command('credit').description('credit of accounts');
  withJson(
    credit
      .command('adjust')
      .description('add credit, or remove it with a negative amount, in the ledger of the account’s mode')
      .argument('<account>', 'domain, UUID or number of the account')
      .argument('<amount>', 'reais', reais)
      .requiredOption('--reason <text>', 'the description shown in the customer’s statement')
      .option('--key <key>', 'idempotency key: makes the command safe to repeat')
      .allowUnknownOption(),
  ).action(
    async (name: string, amount: number, options: { reason: string; key?: string; json?: boolean }) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const { availableMicros, heldMicros } = await inAccount(operator.db, account.id, (tx) =>
          adjustCredit(tx, operator, {
            accountId: account.id,
            micros: microsFromReais(amount),
            reason: options.reason,
            key: options.key ?? randomUUID(),
            at: operator.clock.now(),
          }),
        );
        const balance = { available: reaisFromMicros(availableMicros), held: reaisFromMicros(heldMicros) };
        answer(
          options,
          balance,
          `${account.domain} has R$ ${balance.available} available and R$ ${balance.held} held.`,
        );
      });
    },
  );
  return credit;
}
