import { Command } from 'commander';
import { liftBan, listBans } from '../../contexts/telephony/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Json = { json?: boolean };

export function banCommands(): Command {
  const ban = new Command('ban').description(
    'addresses and extensions that the edges refuse after wrong passwords',
  );

  withJson(ban.command('list').description('list the current bans')).action(async (options: Json) => {
    await asOperator(async (operator) => {
      const bans = await listBans(operator);
      const lines = bans.map(
        ({ kind, key, until, edge }) =>
          `${kind.padEnd(10)} ${key.padEnd(40)} until ${until.toISOString()}  edge ${edge}`,
      );
      answer(options, bans, lines.join('\n') || 'No bans.');
    });
  });

  withJson(
    ban.command('lift').description('end a ban on all edges').argument('<key>', 'as shown by disca ban list'),
  ).action(async (key: string, options: Json) => {
    await asOperator(async (operator) => {
      await liftBan(operator, key);
      answer(options, { key }, `${key} is no longer banned. The edges apply it within seconds.`);
    });
  });
  return ban;
}
