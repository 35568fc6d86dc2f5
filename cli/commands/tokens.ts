import { Command, Option } from 'commander';
import type { Scope, ServiceTokenRecord, TokenRecord } from '../../sdk/src/index.ts';
import { answer, table, utcTime, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';
import { atMost } from './calls.ts';

/** Every scope; a missing or unknown one is a type error. */
const everyScope: Record<Scope, true> = {
  'calls:place': true,
  'calls:read': true,
  recordings: true,
  extensions: true,
  users: true,
  webhooks: true,
  money: true,
  account: true,
};
const scopes = Object.keys(everyScope) as Scope[];

const secondsOfDay = 86_400;

interface ListOptions extends Connection {
  service?: boolean;
}

interface CreateOptions extends ListOptions {
  name: string;
  days?: number;
  scope?: Scope[];
  from?: string[];
}

export function tokensCommand(): Command {
  const tokens = withJson(withConnection(new Command('tokens')))
    .enablePositionalOptions()
    .description('list your access tokens')
    .option('--service', 'list the service tokens of the account instead')
    .action(async (options: ListOptions) => {
      const disca = connect(options);
      const list: (TokenRecord | ServiceTokenRecord)[] = options.service
        ? await disca.serviceTokens.list().take(1_000)
        : await disca.tokens.list().take(1_000);
      answer(options, list, table(list.map(row), 'No tokens.'));
    });
  tokens.addCommand(createCommand());
  tokens.addCommand(revokeCommand());
  return tokens;
}

const createCommand = (): Command =>
  withJson(withConnection(new Command('create')))
    .description('create a token; it is shown once')
    .requiredOption('--name <name>', 'name of the token')
    .option('--days <number>', 'lifetime of the token; default: unlimited', atMost(365))
    .addOption(
      new Option('--scope <scope...>', 'what the token may do; default: everything that you may').choices([
        ...scopes,
      ]),
    )
    .option('--from <address...>', 'addresses or networks from which it may be used; default: all')
    .option('--service', 'create a service token, which belongs to the account; needs --scope')
    .action(async (options: CreateOptions) => {
      const { name, scope, from, service } = options;
      const wanted = {
        name,
        ttl: options.days === undefined ? -1 : options.days * secondsOfDay,
        ...(from && { allowedAddresses: from }),
      };
      const disca = connect(options);
      const made = service
        ? await disca.serviceTokens.create({ ...wanted, scopes: scope ?? [] })
        : await disca.tokens.create({ ...wanted, ...(scope && { scopes: scope }) });
      answer(options, made, made.id);
    });

const revokeCommand = (): Command =>
  withJson(withConnection(new Command('revoke')))
    .description('revoke a token')
    .option('--service', 'revoke a service token of the account')
    // Allowed because a token may start with a hyphen.
    .allowUnknownOption()
    .helpOption('--help', 'show help')
    .argument('<prefix>', 'start of the token, as shown in the list')
    .action(async (prefix: string, options: ListOptions) => {
      const disca = connect(options);
      await (options.service ? disca.serviceTokens : disca.tokens).revoke(prefix);
      answer(options, { prefix, isRevoked: true }, `The token that starts with ${prefix} is revoked.`);
    });

const row = (token: TokenRecord | ServiceTokenRecord) => ({
  prefix: token.prefix,
  name: token.name,
  created: utcTime(token.created),
  ends: token.expiresAt ? utcTime(token.expiresAt) : 'never',
  'last used': token.lastUsedAt ? utcTime(token.lastUsedAt) : undefined,
  scopes: token.scopes?.join(', ') ?? 'all',
  from: token.allowedAddresses?.join(', ') ?? 'everywhere',
});
