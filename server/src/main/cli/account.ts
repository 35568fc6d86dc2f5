import { once } from 'node:events';
import { Command } from 'commander';
import { resetFactorsOf } from '../../contexts/access/index.ts';
import {
  approveAccount,
  blockAccount,
  closeAccount,
  exportAccount,
  showAccount,
  switchMode,
  unblockAccount,
} from '../../contexts/accounts/index.ts';
import { listCommand, showCommand } from './account-list.ts';
import { answer, asOperator, withJson } from './operator.ts';
import { reviewCommand } from './review.ts';

type Json = { json?: boolean };

export function accountCommands(): Command {
  const account = new Command('account').description('accounts');
  const named = (name: string, description: string): Command =>
    withJson(
      account
        .command(name)
        .description(description)
        .argument('<account>', 'domain, UUID or number of the account'),
    );

  account.addCommand(listCommand());
  account.addCommand(showCommand());
  named('block', 'block an account: reject all its requests and logins').action(
    async (name: string, options: Json) => {
      await asOperator(async (operator) => {
        const blocked = await blockAccount(operator, name);
        answer(options, blocked, `${blocked.domain} is blocked.`);
      });
    },
  );
  named('unblock', 'unblock an account').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const unblocked = await unblockAccount(operator, name);
      answer(options, unblocked, `${unblocked.domain} is active.`);
    });
  });
  named('close', 'close an account permanently; its ledger is kept').action(
    async (name: string, options: Json) => {
      await asOperator(async (operator) => {
        const closed = await closeAccount(operator, name);
        answer(options, closed, `${closed.domain} is closed.`);
      });
    },
  );
  account.addCommand(reviewCommand());
  named('approve', 'allow a new account to place outbound calls; mails its administrators').action(
    async (name: string, options: Json) => {
      await asOperator(async (operator) => {
        const approved = await approveAccount(operator, name);
        answer(options, approved, `${approved.domain} is approved.`);
      });
    },
  );
  named('reset-factors', 'remove the second factors of a user who has lost them; mails the user')
    .argument('<email>', 'e-mail of the user')
    .action(async (name: string, email: string, options: Json) => {
      await asOperator(async (operator) => {
        const { id } = await showAccount(operator, name);
        const removed = await resetFactorsOf(operator, id, email);
        answer(options, { removed }, `Removed ${removed} second factors of ${email}.`);
      });
    });
  for (const [command, mode] of [
    ['go-live', 'live'],
    ['go-test', 'test'],
  ] as const)
    named(command, `switch an account to ${mode} mode; credit is not carried over`).action(
      async (name: string, options: Json) => {
        await asOperator(async (operator) => {
          const switched = await switchMode(operator, name, mode);
          answer(options, switched, `${switched.domain} is in ${mode} mode.`);
        });
      },
    );
  account
    .command('export')
    .description('export all data of an account as JSON, without secrets')
    .argument('<account>', 'domain, UUID or number of the account')
    .action(async (name: string) => {
      await asOperator(async (operator) => {
        await exportAccount(operator, name, writeOut);
      });
    });
  return account;
}

/** Waits for the reader (back-pressure), so that a large account is never held in memory. */
async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
