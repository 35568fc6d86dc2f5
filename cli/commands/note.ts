import { Command } from 'commander';
import { answer, sheet, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';

interface NoteOptions extends Connection {
  disposition?: string;
  tag?: string[];
}

export const noteCommand = (): Command =>
  withJson(withConnection(new Command('note')))
    .description('write about a call; what is not given stays')
    .argument('<id>', 'the id of the call')
    .argument('[text]', 'the note')
    .option('--disposition <name>', 'one of the dispositions of the account')
    .option('--tag <tags...>', 'tags; they replace the previous ones')
    .action(async (id: string, text: string | undefined, options: NoteOptions) => {
      const disca = connect(options);
      const before = await disca.calls.get(id);
      const body = {
        disposition: options.disposition ?? before.disposition,
        note: text ?? before.note,
        tags: options.tag ?? before.tags,
      };
      const note = await disca.request('put', '/calls/{id}/note', { path: { id }, body });
      answer(options, note, sheet({ ...note, tags: note.tags.join(', ') }));
    });
