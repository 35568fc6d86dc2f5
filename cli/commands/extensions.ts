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
    .description('list extensions, and which have a softphone now')
    .option('--limit <number>', 'how many to list', atMost(1_000), 100)
    .action(async (options: Connection & { limit: number }) => {
      const list = await connect(options).extensions.list({ order: 'ramal ASC' }).take(options.limit);
      answer(
        options,
        list,
        table(list.map(row), 'There are no extensions. Make one: disca extensions add --help'),
      );
    });
  extensions.addCommand(addCommand());
  extensions.addCommand(
    withJson(withConnection(new Command('remove')))
      .description('remove an extension')
      .argument('<id>', 'its id, as the list tells it')
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

/** Its password is made here, so that nobody thinks of one. */
function addCommand(): Command {
  return withJson(withConnection(new Command('add')))
    .description('make an extension and tell what its softphone needs')
    .requiredOption('--first-name <name>', 'whose it is')
    .requiredOption('--last-name <name>', 'whose it is')
    .requiredOption('--email <email>', 'whose it is')
    .option('--number <number>', 'its number; the lowest that is free unless given')
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
