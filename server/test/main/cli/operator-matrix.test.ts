import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { suspendCalling } from '../../../src/contexts/calls/index.ts';
import { type OperatorRole, operatorRoles } from '../../../src/contexts/operators/index.ts';
import { pathOf } from '../../../src/main/cli/act.ts';
import { commandRules } from '../../../src/main/cli/command-rules.ts';
import { operatorCommands } from '../../../src/main/cli/commands.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { addNamedOperator, openOperator, type TestOperator } from '../../harness/operator.ts';
import { runOperator, withOperatorSettings } from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let owner: TestOperator;
let account: TestAccount;
const tokens = {} as Record<OperatorRole, string>;
const rules = { ...commandRules };

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  owner = openOperator(platform);
  for (const role of operatorRoles)
    tokens[role] = (await addNamedOperator(owner, { name: `the-${role}`, role })).token;
});
afterEach(() => Object.assign(commandRules, rules));
afterAll(async () => {
  delete process.env.DISCA_OPERATOR_TOKEN;
  await owner.close();
  await platform.close();
});

/** What the roles other than owner change, by command or group of commands. */
const mayChange: Record<Exclude<OperatorRole, 'owner'>, RegExp> = {
  support: /^$/,
  finance:
    /^(credit adjust|caps set|account approve|account go-live|account go-test|account review --lift|approvals (approve|reject))$/,
  network: /^((trunk|node|rates|ban|caller-id|budgets) |approvals (approve|reject)$)/,
};

type Effect = 'refused' | 'reads' | 'changes';

/** A command, alone and with each of its flags: an option can turn a command that reads into one that changes. */
interface Case {
  name: string;
  args: string[];
}

function casesOf(command: Command): Case[] {
  const path = pathOf(command);
  const own = path in commandRules && commandRules[path]?.kind !== 'machine' ? variantsOf(command, path) : [];
  return [...own, ...command.commands.flatMap(casesOf)];
}

function variantsOf(command: Command, path: string): Case[] {
  const required = command.options.filter(({ mandatory, long }) => mandatory && long !== '--reason');
  const values = required.flatMap(({ long, argChoices }) => [long ?? '', argChoices?.[0] ?? 'x']);
  const args = [
    ...path.split(' '),
    ...command.registeredArguments.map(() => '1'),
    ...values,
    '--reason',
    'x',
  ];
  const isFlag = ({ required: needs, optional, long }: Command['options'][number]) =>
    !needs && !optional && long !== '--json';
  const flags = command.options.filter(isFlag).map(({ long }) => long ?? '');
  return [{ name: path, args }, ...flags.map((flag) => ({ name: `${path} ${flag}`, args: [...args, flag] }))];
}

/** The commands without their actions and parsers: only the check before them runs. */
function checkedProgram(args: string[]): Command {
  const program = new Command('disca').exitOverride();
  const strip = (command: Command): void => {
    for (const each of command.registeredArguments) each.parseArg = undefined;
    for (const each of command.options) each.parseArg = undefined;
    command
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => undefined);
    for (const each of command.commands) strip(each);
  };
  for (const each of operatorCommands({ args })) {
    strip(each);
    program.addCommand(each);
  }
  return program;
}

const logged = async () => (await platform.database.query('select seq from operator_log')).length;

async function effectOf(role: OperatorRole, { args }: Case): Promise<Effect> {
  process.env.DISCA_OPERATOR_TOKEN = tokens[role];
  const before = await logged();
  try {
    await checkedProgram(args).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (/needs the role/.test((error as Error).message)) return 'refused';
    if (!/needs a second operator/.test((error as Error).message)) throw error;
    return 'changes';
  }
  return (await logged()) > before ? 'changes' : 'reads';
}

/** Returns what contradicts the roles, such as `support: credit adjust changes`. */
async function faultsOf(cases: Case[]): Promise<string[]> {
  const faults: string[] = [];
  for (const each of cases) {
    const effects = {} as Record<OperatorRole, Effect>;
    for (const role of operatorRoles) effects[role] = await effectOf(role, each);
    const isRead = effects.owner === 'reads';
    for (const role of operatorRoles) {
      const isAllowed = role === 'owner' || isRead || mayChange[role].test(each.name);
      const expected: Effect = isAllowed ? effects.owner : 'refused';
      if (effects[role] !== expected) faults.push(`${role}: ${each.name} ${effects[role]}`);
    }
    if (effects.owner === 'refused') faults.push(`owner: ${each.name} refused`);
  }
  return faults;
}

const allCases = () => {
  const program = new Command('disca');
  for (const each of operatorCommands({ args: [] })) program.addCommand(each);
  return casesOf(program);
};

test('OPER-08 support changes nothing, finance and network their part, and an owner everything', async () => {
  await withOperatorSettings(platform, async () => {
    const cases = allCases();
    expect(cases.length).toBeGreaterThan(50);
    expect(cases.map(({ name }) => name)).toContain('account review --lift');
    expect(await faultsOf(cases)).toEqual([]);
  });
});

test('OPER-08 a planted rule that gives a role too much, or too little, fails the matrix', async () => {
  await withOperatorSettings(platform, async () => {
    const only = (name: string) => allCases().filter((each) => each.name.startsWith(name));
    const everyone = [...operatorRoles];
    commandRules['account block'] = { kind: 'change', roles: everyone };
    commandRules['trunk add'] = { kind: 'change', roles: ['finance', 'network', 'owner'] };
    commandRules['credit adjust'] = { kind: 'change', roles: ['owner'] };
    commandRules['account review'] = {
      kind: 'read',
      roles: everyone,
      changesWith: { option: 'lift', roles: everyone },
    };
    expect(await faultsOf(only('account block'))).toEqual([
      'support: account block changes',
      'finance: account block changes',
      'network: account block changes',
    ]);
    expect(await faultsOf(only('trunk add').slice(0, 1))).toEqual(['finance: trunk add changes']);
    expect(await faultsOf(only('credit adjust'))).toEqual(['finance: credit adjust refused']);
    expect(await faultsOf(only('account review'))).toEqual([
      'support: account review --lift changes',
      'network: account review --lift changes',
    ]);
  });
});

test('OPER-08 a change of a command whose rule says that it reads is refused by the database', async () => {
  await inAccount(platform.api.base.db, account.id, (tx) =>
    suspendCalling(tx, { accountId: account.id, reason: 'A test.', at: platform.clock.now() }),
  );
  const isSuspended = async () => {
    process.env.DISCA_OPERATOR_TOKEN = tokens.support;
    const { out } = await runOperator(platform, ['account', 'review', account.domain, '--json']);
    return (JSON.parse(out) as { suspension?: unknown }).suspension !== undefined;
  };
  expect(await isSuspended()).toBe(true);
  const lift = async (role: OperatorRole) => {
    process.env.DISCA_OPERATOR_TOKEN = tokens[role];
    return await runOperator(platform, ['account', 'review', account.domain, '--lift', '--reason', 'call 7']);
  };
  for (const role of ['support', 'network'] as const)
    expect((await lift(role)).err).toContain('needs the role finance or owner');
  expect(await isSuspended()).toBe(true);

  commandRules['account review'] = { kind: 'read', roles: [...operatorRoles] };
  process.env.DISCA_OPERATOR_TOKEN = tokens.support;
  const planted = await runOperator(platform, ['account', 'review', account.domain, '--lift']);
  // A connection that refuses writes counts as one to a standby, to which the command does not wait longer than 10 s.
  expect(planted).toMatchObject({ code: 1, err: expect.stringContaining('unavailable') });
  expect(await isSuspended()).toBe(true);
  Object.assign(commandRules, rules);
  expect((await lift('finance')).err).toBe('');
  expect(await isSuspended()).toBe(false);
});
