import { Command, InvalidArgumentError, Option } from 'commander';
import type { Disca, NewPermissions, UserRecord } from '../../sdk/src/index.ts';
import { CliError } from '../cli-error.ts';
import { answer, sheet, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';

type Changes = Partial<NewPermissions>;

export function permissionsCommand(): Command {
  const permissions = new Command('permissions').description(
    'show and change what a user may do; for ADMINs',
  );
  permissions.addCommand(showCommand());
  permissions.addCommand(setCommand());
  return permissions;
}

const showCommand = (): Command =>
  withJson(withConnection(new Command('show')))
    .description('show what a user may do')
    .argument('<email>', 'e-mail address of the user')
    .action(async (email: string, options: Connection) => {
      const disca = connect(options);
      const { uuid } = await findUser(disca, email);
      const shown = await disca.users.permissions(uuid);
      answer(options, shown, sheet(rows(shown)));
    });

const setCommand = (): Command =>
  withJson(withConnection(new Command('set')))
    .description('change what a user may do; what is not given stays')
    .argument('<email>', 'e-mail address of the user')
    .addOption(new Option('--calls <whose>', 'calls that the user sees').choices(['own', 'all']))
    .addOption(
      new Option('--recordings <whose>', 'recordings that the user hears').choices(['none', 'own', 'all']),
    )
    .option('--money <yes|no>', 'balance, statement, charges and billing details', yesOrNo)
    .option('--webhooks <yes|no>', 'integrations', yesOrNo)
    .option('--supervision <yes|no>', 'following and ending the calls of others', yesOrNo)
    .action(async (email: string, options: Connection & Changes) => {
      const disca = connect(options);
      const { uuid } = await findUser(disca, email);
      const { isDecided: _, ...before } = await disca.users.permissions(uuid);
      const after = await disca.users.setPermissions(uuid, { ...before, ...changesOf(options) });
      answer(options, after, sheet(rows(after)));
    });

function changesOf({ calls, recordings, money, webhooks, supervision }: Changes): Changes {
  const given = Object.entries({ calls, recordings, money, webhooks, supervision });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('Enter yes or no.');
}

async function findUser(disca: Disca, email: string): Promise<UserRecord> {
  const [user] = await disca.users.list({ where: { email } }).take(1);
  if (!user)
    throw new CliError(
      `No user has the address ${email}.`,
      'The console lists the users under People and tokens.',
    );
  return user;
}

const rows = (shown: NewPermissions): Record<string, string> => ({
  calls: shown.calls,
  recordings: shown.recordings,
  money: shown.money ? 'yes' : 'no',
  webhooks: shown.webhooks ? 'yes' : 'no',
  supervision: shown.supervision ? 'yes' : 'no',
});
