import { Command, InvalidArgumentError, Option } from 'commander';
import { reviewAccount } from '../../contexts/abuse/index.ts';
import { listAccounts, showAccount } from '../../contexts/accounts/index.ts';
import { readCredit } from '../../contexts/billing/index.ts';
import { countExtensions } from '../../contexts/extensions/index.ts';
import { countUsers } from '../../contexts/users/index.ts';
import { inAccount } from '../../platform/db/database.ts';
import { answer, asOperator, type Operator, withJson } from './operator.ts';

interface ListOptions {
  json?: boolean;
  mode?: 'test' | 'live';
  status?: string;
  waiting?: boolean;
  search?: string;
  limit: number;
}

type Summary = Awaited<ReturnType<typeof showAccount>>;

function limit(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 to 9999.');
  return Number(text);
}

/** The command `disca account list`. */
export const listCommand = (): Command =>
  withJson(
    new Command('list')
      .description('list accounts, the newest first')
      .addOption(new Option('--mode <mode>').choices(['test', 'live']))
      .addOption(new Option('--status <status>').choices(['pending', 'active', 'blocked', 'closed']))
      .option(
        '--waiting',
        'only accounts that wait for approval or asked for live mode, the longest waiting first',
      )
      .option('--search <text>', 'part of the domain, the name or the e-mail address')
      .addOption(new Option('--limit <number>', 'at most this many').default(100).argParser(limit)),
  ).action(async ({ json, waiting, limit: most, ...filter }: ListOptions) => {
    await asOperator(async (operator) => {
      const accounts = await listAccounts(operator, {
        ...filter,
        most,
        ...(waiting ? { isWaiting: true } : {}),
      });
      const lines = accounts.map(line);
      if (accounts.length === most) lines.push(`Only the first ${most} are shown; --limit shows more.`);
      answer({ json: json ?? false }, accounts, lines.join('\n') || 'No accounts.');
    });
  });

const line = (account: Summary): string =>
  [
    account.createdAt.toISOString().slice(0, 10),
    account.status.padEnd(8),
    account.mode.padEnd(5),
    account.domain.padEnd(32),
    account.name,
    ...(account.awaitsApprovalSince ? ['(waits for approval)'] : []),
    ...(account.liveRequestedAt ? [`(asked for live mode ${account.liveRequestedAt.toISOString()})`] : []),
  ].join(' ');

/** The command `disca account show`. */
export const showCommand = (): Command =>
  withJson(
    new Command('show')
      .description('show an account with its credit, users and suspension')
      .argument('<account>', 'domain, UUID or number of the account'),
  ).action(async (name: string, options: { json?: boolean }) => {
    await asOperator(async (operator) => {
      const shown = await detailsOf(operator, name);
      const lines = Object.entries(shown).map(([label, value]) => `${label.padEnd(16)} ${textOf(value)}`);
      answer(options, shown, lines.join('\n'));
    });
  });

async function detailsOf(operator: Operator, name: string) {
  const account = await showAccount(operator, name);
  const { suspension, signals } = await reviewAccount(operator, account.id);
  const counted = await inAccount(operator.db, account.id, async (tx) => {
    const { available, held } = await readCredit(tx, account.id, operator.clock.now());
    return {
      available,
      held,
      users: await countUsers(tx, account.id),
      extensions: await countExtensions(tx, account.id),
    };
  });
  return { ...account, ...counted, suspended: suspension?.reason ?? null, signals: signals.length };
}

const textOf = (value: string | number | boolean | Date | null): string =>
  value === null ? '-' : value instanceof Date ? value.toISOString() : String(value);
