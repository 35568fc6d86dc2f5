import type { Command } from 'commander';
import {
  type Approval,
  appendLog,
  findOperator,
  listOperators,
  lockLog,
  type NamedOperator,
  type OperatorRole,
  requestApproval,
} from '../../contexts/operators/index.ts';
import { inTransaction } from '../../platform/db/database.ts';
import { mentionOf } from '../../platform/erased.ts';
import { actOf, type CommandRule, commandRules } from './command-rules.ts';
import { logMachineAct } from './machine-act.ts';
import { asOperator, nameActor, type Operator, refuseWrites } from './operator.ts';
import { readOperatorToken } from './operator-session.ts';
import { findCause } from './second-operator.ts';

/** How a command line was started. */
export interface Invocation {
  /** The arguments without the program. */
  args: string[];
  /** The request that a second operator has approved, who, and why. */
  approved?: { approval: Approval; by: NamedOperator; reason: string };
}

/** Names of a command without the program, such as `credit adjust`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

export function ruleOf(path: string): CommandRule {
  const rule = commandRules[path];
  if (!rule) throw new Error(`${path} has no rule in command-rules.ts.`);
  return rule;
}

/**
 * Runs before every command: checks who runs it, and writes what changes something to the operator log. As long as there
 * are no operators, it checks nothing and logs `machine`.
 */
export async function beginAct(command: Command, invocation: Invocation): Promise<void> {
  const path = pathOf(command);
  const rule = ruleOf(path);
  nameActor(undefined);
  refuseWrites(false);
  if (rule.kind === 'machine') return;
  const options = command.opts<Record<string, unknown>>();
  const { isChange, roles } = actOf(rule, options);
  await asOperator(async (operator) => {
    const hasOperators = (await listOperators(operator)).length > 0;
    const who = hasOperators ? await requireOperator(operator, path, roles, invocation) : undefined;
    if (!isChange) return;
    const reason = typeof options.reason === 'string' ? options.reason : '';
    if (who && reason.trim() === '')
      throw new Error('Give the reason with --reason: it is written to the operator log.');
    refuseNaming(reason, command, rule);
    const request = await writeAct(operator, { who, path, command, reason, invocation });
    if (request)
      throw new Error(
        `${request.cause} needs a second operator. Nothing was changed: another operator with the role ${roles.join(' or ')} runs disca approvals approve ${request.id} within 24 hours.`,
      );
    if (who) nameActor(who.name);
  });
  refuseWrites(!isChange && !rule.storesResult);
}

/** Runs after every command. */
export async function endAct(command: Command): Promise<void> {
  const path = pathOf(command);
  if (ruleOf(path).isLogged) await logMachineAct(path, command);
}

async function requireOperator(
  operator: Operator,
  path: string,
  roles: readonly OperatorRole[],
  { approved }: Invocation,
): Promise<NamedOperator> {
  const token = readOperatorToken();
  const who = approved?.approval.requester ?? (token ? await findOperator(operator, token) : undefined);
  if (!who) throw new Error('Log in first: disca operator login NAME');
  if (!roles.includes(who.role))
    throw new Error(`disca ${path} needs the role ${roles.join(' or ')}; ${who.name} has ${who.role}.`);
  return who;
}

interface Change {
  who: NamedOperator | undefined;
  path: string;
  command: Command;
  reason: string;
  invocation: Invocation;
}

/**
 * Writes a change to the log, or stores a request and returns it if the change needs a second operator. Both happen in
 * the transaction that checks the limits, and one after the other.
 */
const writeAct = (
  operator: Operator,
  { who, path, command, reason, invocation }: Change,
): Promise<{ id: number; cause: string } | undefined> =>
  inTransaction(operator.db, async (tx) => {
    await lockLog(tx);
    const at = operator.clock.now();
    const { target, details } = logEntry(path, command, invocation);
    const actor = { at, operator: who?.name ?? 'machine', role: who?.role ?? 'owner', reason };
    const cause = who && !invocation.approved ? await findCause(tx, operator, who, path, command) : undefined;
    if (!who || cause === undefined) {
      await appendLog(tx, { ...actor, command: path, target, details });
      return undefined;
    }
    const asked = { requester: who, command: path, arguments: invocation.args, reason, cause };
    const id = await requestApproval(tx, asked, at);
    await appendLog(tx, {
      ...actor,
      command: 'approvals request',
      target: String(id),
      details: { command: path, target, cause, ...details },
    });
    return { id, cause };
  });

/** Options and arguments, except those that are secrets, and without what the rule withholds. */
function logEntry(path: string, command: Command, { approved }: Invocation) {
  const { withholds = {} } = ruleOf(path);
  const {
    reason: _,
    json: __,
    password: ___,
    inboundPassword: ____,
    ...options
  } = Object.fromEntries(
    Object.entries(command.opts<Record<string, unknown>>()).map(([name, value]) => [
      name,
      shown(withholds, name, value),
    ]),
  );
  const [target = '', ...others] = command.processedArgs.map((value: unknown, index) =>
    shown(withholds, command.registeredArguments[index]?.name() ?? '', value),
  );
  return {
    target: typeof target === 'string' || typeof target === 'number' ? String(target) : '',
    details: {
      ...options,
      ...(others.length > 0 ? { arguments: others } : {}),
      ...(path === 'credit adjust' ? { amount: others[0] } : {}),
      ...(approved
        ? { approval: approved.approval.id, approvedBy: approved.by.name, approvedBecause: approved.reason }
        : {}),
    },
  };
}

const shown = (withholds: NonNullable<CommandRule['withholds']>, name: string, value: unknown): unknown =>
  typeof value === 'string' && withholds[name] ? withholds[name](value) : value;

/** Refuses a reason that has what the log must not have. */
function refuseNaming(reason: string, command: Command, { withholds = {} }: CommandRule): void {
  const given: [string, unknown][] = [
    ...Object.entries(command.opts<Record<string, unknown>>()),
    ...command.registeredArguments.map((each, index): [string, unknown] => [
      each.name(),
      command.processedArgs[index],
    ]),
  ];
  for (const [name, value] of given) {
    if (typeof value !== 'string' || !(name in withholds)) continue;
    const mention = mentionOf(/^\d+$/.test(value) ? { phone: value } : { email: value });
    if (new RegExp(mention, 'i').test(reason))
      throw new Error(
        'The reason names the person. Nothing can be erased from the operator log: refer to a ticket instead.',
      );
  }
}
