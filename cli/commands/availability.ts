import { Argument, Command } from 'commander';
import type { Disca } from '../../sdk/src/index.ts';
import { answer, sheet, table, utcTime, withJson } from '../output.ts';
import { type Connection, connect, withConnection } from '../session.ts';

const statuses = { available: 'available', away: 'away', 'do-not-disturb': 'do_not_disturb' } as const;

interface AvailabilityOptions extends Connection {
  reason?: string;
}

export const availabilityCommand = (): Command =>
  withJson(withConnection(new Command('availability')))
    .description('list who is available and who is in a call, or set your own availability')
    .addArgument(new Argument('[status]', 'your availability').choices(Object.keys(statuses)))
    .option('--reason <text>', 'why you are away')
    .action(async (status: keyof typeof statuses | undefined, options: AvailabilityOptions) => {
      const disca = connect(options);
      if (status === undefined) {
        const people = await listPeople(disca);
        answer(options, people, table(people.map(row), 'No one.'));
        return;
      }
      const body = { status: statuses[status], ...(options.reason ? { reason: options.reason } : {}) };
      const set = await disca.request('put', '/users/me/availability', { body });
      answer(options, set, sheet({ ...set, since: set.since && utcTime(set.since) }));
    });

type Page = Awaited<ReturnType<typeof readPage>>;

const readPage = (disca: Disca, after: string | null | undefined) =>
  disca.request('get', '/availability', { query: after ? { after } : {} });

/** Reads all pages. */
async function listPeople(disca: Disca): Promise<Page['data']> {
  const people: Page['data'] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { data, meta } = await readPage(disca, after);
    people.push(...data);
    after = meta.nextAfter;
  }
  return people;
}

const row = (person: Page['data'][number]) => ({
  name: person.name,
  state: person.state.replaceAll('_', '-'),
  reason: person.reason,
  since: person.since && utcTime(person.since),
  extensions: person.extensions.join(', '),
  calls: person.calls.map(({ direction, number }) => `${direction} ${number}`).join(', ') || null,
});
