import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { showAccount } from '../../contexts/accounts/index.ts';
import {
  type Budget,
  type Budgeted,
  budgetedResources,
  budgetTable,
  findDefaults,
  resetBudgets,
  saveDefault,
  setBudget,
  showBudgets,
} from '../../contexts/limits/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Amount = number | 'none';

interface Options {
  json?: boolean;
  test?: Amount;
  live?: Amount;
}

const accountArgument = ['<account>', 'domain, UUID or number of the account'] as const;

function amount(text: string): Amount {
  if (text === 'none') return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, or none.');
  return Number(text);
}

/** Parses the budget of an account: `default` restores the default of its mode. */
const amountOrDefault = (text: string): Amount | 'default' => (text === 'default' ? text : amount(text));

const resourceOrAll = (): Argument =>
  new Argument('<resource>', 'the resource, or all').choices([...budgetedResources, 'all']);

const resourcesOf = (resource: Budgeted | 'all'): Budgeted[] =>
  resource === 'all' ? budgetedResources : [resource];

const mostOf = (given: Amount): number | null => (given === 'none' ? null : given);

export function budgetCommands(): Command {
  const budgets = new Command('budgets').description('shares of accounts in what all accounts use');

  withJson(
    budgets.command('defaults').description('show the default budgets of test and live accounts'),
  ).action((options: Options) => asOperator(({ db }) => printDefaults(options, db)));

  withJson(
    budgets
      .command('default')
      .description('change a default budget; it applies at once to accounts without a budget of their own')
      .addArgument(resourceOrAll())
      .addOption(new Option('--test <number>', 'of test accounts, or none').argParser(amount))
      .addOption(new Option('--live <number>', 'of live accounts, or none').argParser(amount)),
  ).action(async (resource: Budgeted | 'all', options: Options) => {
    await asOperator(async ({ db }) => {
      const resources = resourcesOf(resource);
      if (options.test !== undefined) await saveDefault(db, resources, 'test', mostOf(options.test));
      if (options.live !== undefined) await saveDefault(db, resources, 'live', mostOf(options.live));
      await printDefaults(options, db);
    });
  });

  withJson(
    budgets
      .command('show')
      .description('show the budgets of an account')
      .argument(...accountArgument),
  ).action(async (name: string, options: Options) => {
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      printBudgets(options, await showBudgets(operator, account.id));
    });
  });

  withJson(
    budgets
      .command('set')
      .description('set a budget of an account; none removes it, default restores the default')
      .argument(...accountArgument)
      .addArgument(new Argument('<resource>', 'the resource').choices(budgetedResources))
      .argument('<amount>', 'whole number, none or default', amountOrDefault),
  ).action(async (name: string, resource: Budgeted, given: Amount | 'default', options: Options) => {
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      const most = given === 'default' ? undefined : mostOf(given);
      printBudgets(options, await setBudget(operator, account.id, resource, most));
    });
  });

  withJson(
    budgets
      .command('reset')
      .description('give the default to all accounts of a mode that have no budget; other budgets stay')
      .addArgument(new Argument('<mode>', 'which accounts').choices(['test', 'live']))
      .addArgument(resourceOrAll()),
  ).action(async (mode: 'test' | 'live', resource: Budgeted | 'all', options: Options) => {
    await asOperator(async (operator) => {
      const accounts = await resetBudgets(operator, mode, resourcesOf(resource));
      const count = `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} changed.`;
      answer(options, accounts, [...accounts.map(({ domain }) => domain), count].join('\n'));
    });
  });
  return budgets;
}

function printBudgets(options: Options, budgets: Budget[]): void {
  const lines = budgets.map(({ resource, most, isSet }) =>
    lineOf(resource, `${shown(most)}${isSet ? '' : ' (default)'}`),
  );
  answer(options, budgets, lines.join('\n'));
}

async function printDefaults(options: Options, db: Parameters<typeof findDefaults>[0]): Promise<void> {
  const defaults = await findDefaults(db);
  const lines = defaults.map(({ resource, test, live }) =>
    lineOf(resource, `test ${shown(test)}, live ${shown(live)}: ${budgetTable[resource].unit}`),
  );
  answer(options, defaults, lines.join('\n'));
}

const lineOf = (resource: string, text: string): string => `${resource.padEnd(18)} ${text}`;
const shown = (most: number | null): string => (most === null ? 'none' : String(most));
