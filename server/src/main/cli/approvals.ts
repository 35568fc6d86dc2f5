import { Command, InvalidArgumentError } from 'commander';
import {
  type Approval,
  decideApproval,
  findOperator,
  listApprovals,
  type NamedOperator,
} from '../../contexts/operators/index.ts';
import { type Invocation, ruleOf } from './act.ts';
import { answer, asOperator, type Operator, withJson } from './operator.ts';
import { readOperatorToken } from './operator-session.ts';

type Json = { json?: boolean };

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a request.');
  return Number(text);
}

/** `run` runs the command line of an approved request. */
export function approvalCommands(run: (invocation: Invocation) => Promise<void>): Command {
  const approvals = new Command('approvals').description('commands that wait for a second operator');

  withJson(approvals.command('list').description('list the requests that wait')).action(
    async (options: Json) => {
      await asOperator(async (operator) => {
        const waiting = await listApprovals(operator);
        const lines = waiting.map(
          ({ id, requester, arguments: args, cause, reason }) =>
            `${id}  ${requester.name}: disca ${args.join(' ')}\n    ${cause}; reason: ${reason}`,
        );
        answer(options, waiting, lines.join('\n') || 'No requests.');
      });
    },
  );

  const deciding = (name: string, description: string): Command =>
    withJson(approvals.command(name).description(description).argument('<id>', 'as listed', wholeNumber));
  deciding('approve', 'approve the request of another operator and run its command').action(
    async (id: number, { reason = '' }: { reason?: string }) => {
      const approved = { ...(await decide(id, 'approved')), reason };
      const key = `approval-${id}`;
      const { command, arguments: args } = approved.approval;
      const hasKey = command !== 'credit adjust' || args.some((each) => /^--key(=|$)/.test(each));
      await run({ args: hasKey ? args : [...args, '--key', key], approved });
    },
  );
  deciding('reject', 'reject a request').action(async (id: number, options: Json) => {
    await decide(id, 'rejected');
    answer(options, { id }, `Request ${id} is rejected.`);
  });
  return approvals;
}

async function decide(
  id: number,
  decision: 'approved' | 'rejected',
): Promise<{ approval: Approval; by: NamedOperator }> {
  const decided: { approval: Approval; by: NamedOperator }[] = [];
  await asOperator(async (operator) => {
    const by = await currentOperator(operator);
    const approval = await decideApproval(operator, { id, by, decision }, ({ command }) => {
      const { roles } = ruleOf(command);
      if (!roles.includes(by.role))
        throw new Error(`disca ${command} needs the role ${roles.join(' or ')}; ${by.name} has ${by.role}.`);
    });
    decided.push({ approval, by });
  });
  const [result] = decided;
  if (!result) throw new Error(`No request ${id} waits.`);
  return result;
}

async function currentOperator(operator: Operator): Promise<NamedOperator> {
  const who = await findOperator(operator, readOperatorToken() ?? '');
  if (!who) throw new Error('Log in first: disca operator login NAME');
  return who;
}
