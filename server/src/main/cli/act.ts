import type { Command } from 'commander';
import {
  type Approval,
  appendLog,
  findOperator,
  listOperators,
  type NamedOperator,
  type OperatorRole,
  requestApproval,
} from '../../contexts/operators/index.ts';
import { inTransaction } from '../../platform/db/database.ts';
import { actOf, type CommandRule, commandRules } from './command-rules.ts';
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
    if (who && !invocation.approved)
      await requireSecond(operator, { who, path, command, reason, invocation });
    const entry = logEntry(path, command, invocation);
    await inTransaction(operator.db, (tx) =>
      appendLog(tx, {
        at: operator.clock.now(),
        operator: who?.name ?? 'machine',
        role: who?.role ?? 'owner',
        command: path,
        reason,
        ...entry,
      }),
    );
    if (who) nameActor(who.name);
  });
  refuseWrites(!isChange);
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
  who: NamedOperator;
  path: string;
  command: Command;
  reason: string;
  invocation: Invocation;
}

/** Stores a request and throws if the command needs a second operator. */
async function requireSecond(
  operator: Operator,
  { who, path, command, reason, invocation }: Change,
): Promise<void> {
  const cause = await findCause(operator, who, path, command);
  if (cause === undefined) return;
  const id = await requestApproval(operator, {
    requester: who,
    command: path,
    arguments: invocation.args,
    reason,
    cause,
  });
  throw new Error(
    `${cause} needs a second operator. Nothing was changed: another operator with the role ${ruleOf(path).roles.join(' or ')} runs disca approvals approve ${id} within 24 hours.`,
  );
}

/** Options and arguments, except those that are secrets. */
function logEntry(path: string, command: Command, { approved }: Invocation) {
  const {
    reason: _,
    json: __,
    password: ___,
    inboundPassword: ____,
    ...options
  } = command.opts<Record<string, unknown>>();
  const [target = '', ...others] = command.processedArgs.map((value) => value as unknown);
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
