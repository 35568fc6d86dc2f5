import { Command, Option } from 'commander';
import {
  addOperator,
  bootstrapOperators,
  disableOperator,
  findEntries,
  listOperators,
  type OperatorRole,
  operatorRoles,
  resetOperator,
  verifyLog,
} from '../../contexts/operators/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Json = { json?: boolean };

export function operatorsCommands(): Command {
  const operators = new Command('operators').description('the people who operate the service');
  withJson(
    operators
      .command('bootstrap')
      .description('add the first two operators, both owners; from then on, commands need a login')
      .argument('<name>', 'lower-case letters, digits and hyphens')
      .argument('<email>', 'address to which the set-up code is mailed')
      .argument('<second-name>', 'name of the second operator')
      .argument('<second-email>', 'their address')
      .option('--reason <text>', 'why; written to the operator log', 'the first operators'),
  ).action(
    async (
      name: string,
      email: string,
      secondName: string,
      secondEmail: string,
      options: Json & { reason: string },
    ) => {
      const both = [
        { name, email, role: 'owner' as const },
        { name: secondName, email: secondEmail, role: 'owner' as const },
      ];
      await asOperator(async (operator) => {
        await bootstrapOperators(operator, both, options.reason);
        answer(options, both, both.map(codeText).join('\n'));
      });
    },
  );
  withJson(
    operators
      .command('add')
      .description('add an operator; a second operator has to approve it')
      .argument('<name>', 'lower-case letters, digits and hyphens')
      .requiredOption('--email <email>', 'address to which the set-up code is mailed')
      .addOption(new Option('--role <role>', 'what they may do').choices(operatorRoles).default('owner')),
  ).action(async (name: string, { email, role, json }: Json & { email: string; role: OperatorRole }) => {
    await asOperator(async (operator) => {
      await addOperator(operator, { name, email, role });
      answer({ json: json ?? false }, { name, email, role }, codeText({ name, email }));
    });
  });

  withJson(operators.command('list').description('list the operators')).action(async (options: Json) => {
    await asOperator(async (operator) => {
      const all = await listOperators(operator);
      const lines = all.map(({ name, role, email, isSetUp, disabledAt }) =>
        [
          name.padEnd(16),
          role.padEnd(8),
          disabledAt ? 'disabled' : isSetUp ? 'active  ' : 'waiting ',
          email,
        ].join(' '),
      );
      answer(
        options,
        all,
        lines.join('\n') || 'No operators: commands need no login. Add one with: disca operators bootstrap',
      );
    });
  });
  const named = (name: string, description: string): Command =>
    withJson(operators.command(name).description(description).argument('<name>', 'name of the operator'));
  named('disable', 'end the sessions of an operator and refuse their logins').action(
    async (name: string, options: Json) => {
      await asOperator(async (operator) => {
        await disableOperator(operator, name);
        answer(options, { name }, `${name} is disabled.`);
      });
    },
  );
  named(
    'reset',
    'mail an operator a new set-up code; a second operator has to approve it, unless it is the first one',
  ).action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const { email } = await resetOperator(operator, name);
      answer(options, { name, email }, codeText({ name, email }));
    });
  });
  return operators;
}

const codeText = ({ name, email }: { name: string; email: string }): string =>
  `A set-up code for ${name}, which is valid for 24 hours, is mailed to ${email}. They run: disca operator set-up ${name}`;

export function operatorLogCommands(): Command {
  const log = new Command('operator-log').description('what operators changed');
  withJson(
    log
      .command('list')
      .description('list the newest entries, or those after one')
      .option('--after <seq>', 'only entries with a higher number', Number, 0)
      .option('--limit <number>', 'at most this many', Number, 100),
  ).action(async ({ after, limit, json }: Json & { after: number; limit: number }) => {
    await asOperator(async ({ db }) => {
      const entries = await findEntries(db, { after, most: limit });
      const lines = entries.map(({ seq, at, operator, command, target, reason, details }) =>
        [
          seq,
          at.toISOString(),
          operator,
          command,
          target,
          reason && `“${reason}”`,
          JSON.stringify(details),
        ].join('  '),
      );
      answer({ json: json ?? false }, entries, lines.join('\n') || 'No entries.');
    });
  });

  withJson(
    log
      .command('verify')
      .description(
        'recompute the chain of hashes, and find changed or removed entries; exits 1 if there are any',
      )
      .option('--head <head>', 'SEQ:HASH as an earlier run printed it, to find a replaced log'),
  ).action(async ({ head, json }: Json & { head?: string }) => {
    const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head ?? '') ?? [];
    if (head !== undefined && !hash)
      throw new Error('--head must be SEQ:HASH as disca operator-log verify prints it.');
    await asOperator(async ({ db }) => {
      const known = hash ? { seq: Number(seq), hash } : undefined;
      const check = await verifyLog(db, known);
      const last = `${check.head.seq}:${check.head.hash}`;
      answer(
        { json: json ?? false },
        { ...check, head: last },
        [...check.faults, check.faults.length === 0 ? `The log is complete. Its head is ${last}` : '']
          .join('\n')
          .trim(),
      );
      if (check.faults.length > 0) process.exitCode = 1;
    });
  });
  return log;
}
