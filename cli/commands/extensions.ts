import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import type { Extension, ExtensionRecord } from '../../sdk/src/index.ts';
import { answer, sheet, table, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';
import { atMost } from './calls.ts';

interface AddOptions extends Connection {
  number?: string;
  firstName: string;
  lastName: string;
  email: string;
  record?: boolean;
}

export function extensionsCommand(): Command {
  const extensions = withJson(withConnection(new Command('extensions')))
    .enablePositionalOptions()
    .description('list extensions and their registration state')
    .option('--limit <number>', 'number of extensions to list', atMost(1_000), 100)
    .action(async (options: Connection & { limit: number }) => {
      const list = await connect(options).extensions.list({ order: 'ramal ASC' }).take(options.limit);
      answer(options, list, table(list.map(row), 'No extensions. Create one: disca extensions add --help'));
    });
  extensions.addCommand(addCommand());
  extensions.addCommand(
    withJson(withConnection(new Command('remove')))
      .description('remove an extension')
      .argument('<id>', 'id, as shown in the list')
      .action(async (id: string, options: Connection) => {
        await connect(options).extensions.remove(id);
        answer(options, { id, isRemoved: true }, `Extension ${id} is removed.`);
      }),
  );
  return extensions;
}

const row = ({ id, ramal, first_name, last_name, email_address, registered }: ExtensionRecord) => ({
  id,
  number: ramal,
  name: `${first_name} ${last_name}`,
  email: email_address,
  softphone: registered ? 'registered' : '–',
});

/** Adds an extension and generates its password. */
function addCommand(): Command {
  return withJson(withConnection(new Command('add')))
    .description('create an extension and print its softphone settings')
    .requiredOption('--first-name <name>', 'first name of its user')
    .requiredOption('--last-name <name>', 'last name of its user')
    .requiredOption('--email <email>', 'e-mail address of its user')
    .option('--number <number>', 'extension number; default: the lowest free one')
    .option('--record', 'record its calls')
    .action(async (options: AddOptions) => {
      const { extensions } = connect(options);
      const body = {
        senha: randomBytes(15).toString('base64url'),
        first_name: options.firstName,
        last_name: options.lastName,
        email_address: options.email,
        gravar_audio: options.record ? (1 as const) : (0 as const),
      };
      const made: Extension =
        options.number === undefined
          ? await extensions.createNext(body)
          : await extensions.create({ ...body, ramal: options.number });
      const shown = { ...made, senha: body.senha };
      answer(
        options,
        shown,
        sheet({ number: made.ramal, domain: made.domain, password: body.senha, id: made.id }),
      );
    });
}
