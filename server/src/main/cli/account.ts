import { once } from 'node:events';
import { Argument, Command } from 'commander';
import {
  blockAccount,
  closeAccount,
  exportAccount,
  showAccount,
  switchMode,
  unblockAccount,
} from '../../contexts/accounts/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Summary = Awaited<ReturnType<typeof showAccount>>;
type Json = { json?: boolean };

const sheet = (account: Summary): string =>
  Object.entries({ ...account, createdAt: account.createdAt.toISOString() })
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n');

export function accountCommands(): Command {
  const account = new Command('account').description('accounts');
  const named = (name: string, description: string): Command =>
    withJson(
      account.command(name).description(description).argument('<account>', 'its domain, uuid or number'),
    );

  named('show', 'show an account').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const found = await showAccount(operator, name);
      answer(options, found, sheet(found));
    });
  });
  named('block', 'refuse all its requests and log-ins').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const found = await blockAccount(operator, name);
      answer(options, found, `${found.domain} is blocked.`);
    });
  });
  named('unblock', 'let it in again').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const found = await unblockAccount(operator, name);
      answer(options, found, `${found.domain} is active.`);
    });
  });
  named('close', 'end it for good; its books stay').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const found = await closeAccount(operator, name);
      answer(options, found, `${found.domain} is closed.`);
    });
  });
  named('mode', 'switch it between test and live; no credit is carried over')
    .addArgument(new Argument('<mode>').choices(['test', 'live']))
    .action(async (name: string, mode: 'test' | 'live', options: Json) => {
      await asOperator(async (operator) => {
        const found = await switchMode(operator, name, mode);
        answer(options, found, `${found.domain} is in ${mode} mode.`);
      });
    });
  account
    .command('export')
    .description('write everything kept about it as JSON, without secrets')
    .argument('<account>', 'its domain, uuid or number')
    .action(async (name: string) => {
      await asOperator(async (operator) => {
        await exportAccount(operator, name, writeOut);
      });
    });
  return account;
}

/** Waits for whoever reads, so that a large account is never held in memory. */
async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
