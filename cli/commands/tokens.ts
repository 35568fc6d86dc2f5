import { Command } from 'commander';
import type { TokenRecord } from '../../sdk/src/index.ts';
import { answer, table, utcTime, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';
import { atMost } from './calls.ts';

const secondsOfDay = 86_400;

export function tokensCommand(): Command {
  const tokens = withJson(withConnection(new Command('tokens')))
    .enablePositionalOptions()
    .description('list your access tokens')
    .action(async (options: Connection) => {
      const list = await connect(options).tokens.list().take(1_000);
      answer(options, list, table(list.map(row), 'No tokens.'));
    });
  tokens.addCommand(
    withJson(withConnection(new Command('create')))
      .description('create a token; it is shown once')
      .requiredOption('--name <name>', 'name of the token')
      .option('--days <number>', 'lifetime of the token; default: unlimited', atMost(365))
      .action(async (options: Connection & { name: string; days?: number }) => {
        const ttl = options.days === undefined ? -1 : options.days * secondsOfDay;
        const made = await connect(options).tokens.create({ name: options.name, ttl });
        answer(options, made, made.id);
      }),
  );
  tokens.addCommand(
    withJson(withConnection(new Command('revoke')))
      .description('revoke a token')
      // Allowed because a token may start with a hyphen.
      .allowUnknownOption()
      .helpOption('--help', 'show help')
      .argument('<prefix>', 'start of the token, as shown in the list')
      .action(async (prefix: string, options: Connection) => {
        await connect(options).tokens.revoke(prefix);
        answer(options, { prefix, isRevoked: true }, `The token that starts with ${prefix} is revoked.`);
      }),
  );
  return tokens;
}

const row = ({ prefix, name, created, ttl, lastUsedAt }: TokenRecord) => ({
  prefix,
  name,
  created: utcTime(created),
  ends: ttl < 0 ? 'never' : utcTime(new Date(Date.parse(created) + ttl * 1000).toISOString()),
  'last used': lastUsedAt ? utcTime(lastUsedAt) : undefined,
});
