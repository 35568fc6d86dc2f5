import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallRow, insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { createAccount, type Person, type TestAccount } from '../../server/test/harness/people.ts';
import { texts as english } from '../src/locales/en/index.ts';
import { texts as portuguese } from '../src/locales/pt-BR/index.ts';
import type { Language } from './harness/browser.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;
let agent: Person;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  agent = await account.addUser();
});
afterAll(() => testConsole?.close());

const callCount = 10;

/** Adds ended calls of the agent, newest first. */
async function addCalls(): Promise<string[]> {
  const { database, clock } = testConsole.platform;
  const calls: (Partial<CallRow> & { startedAt: Date })[] = Array.from({ length: callCount }, (_, n) => ({
    startedAt: new Date(clock.now().getTime() - (n + 1) * 60_000),
    to: `551198765${4000 + n}`,
    duration: n % 3 === 0 ? 0 : 60 + n,
    hangupCause: n % 3 === 0 ? 'NO_ANSWER' : 'NORMAL_CLEARING',
  }));
  const ids = await insertCalls(database, account, calls);
  await database.query(
    'update calls set user_id = (select id from users where uuid = $2) where id = any($1)',
    [ids, agent.uuid],
  );
  return ids;
}

const cases: [Language, typeof portuguese, { names: string[]; note: string; tags: string }][] = [
  [
    'pt-BR',
    portuguese,
    { names: ['Venda', 'Retornar ligação'], note: 'Pediu orçamento.', tags: 'VIP, casa' },
  ],
  [
    'en',
    english as typeof portuguese,
    { names: ['Sale', 'Callback'], note: 'Wants a quote.', tags: 'VIP, house' },
  ],
];

test.each(cases)(
  'NOTE-09 an ADMIN sets dispositions, and an agent writes about ten calls, in %s',
  async (language, words, { names, note, tags }) => {
    const { notes, settings, common, calls: callWords } = words;
    await account.admin.client.patch('/users', { locale: language });
    await agent.client.patch('/users', { locale: language });
    const office = await testConsole.viewAs(account.admin, '/settings', { language });
    const panel = office.page.getByRole('region', { name: settings.dispositions.title });
    await panel.getByRole('button', { name: settings.dispositions.edit }).click();
    await panel.getByLabel(settings.dispositions.names).fill(names.join('\n'));
    await panel.getByRole('button', { name: common.save }).click();
    await panel.getByText(settings.dispositions.saved).waitFor();
    expect(office.faults).toEqual([]);
    await office.close();

    const ids = await addCalls();
    const { page, faults, close } = await testConsole.viewAs(agent, '/calls', { language });
    const form = page.getByRole('form', { name: notes.title });
    for (const [n, id] of ids.entries()) {
      await page.locator(`a[href="/calls/${id}"]`).click();
      await page.getByRole('button', { name: notes.write }).click();
      await form.getByLabel(notes.disposition).selectOption(names[n % 2] ?? '');
      await form.getByRole('textbox', { name: notes.note }).fill(`${note} ${n + 1}`);
      await form.getByLabel(notes.tags).fill(tags);
      await form.getByRole('button', { name: common.save }).click();
      await page.getByText(`${note} ${n + 1}`).waitFor();
    }
    await numberEvents(testConsole.platform);
    const written = await agent.client.list('/calls', { where: { id: { inq: ids } } }, { page: '1' });
    expect(written.body.data.map(({ note: each }: { note: string }) => each)).toEqual(
      ids.map((_, n) => `${note} ${n + 1}`),
    );
    // The rows follow the events.
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="/calls/${ids[0]}"]`) });
    await row.getByText(names[0] ?? '', { exact: true }).waitFor();
    await row.getByText('+2', { exact: true }).waitFor();
    const all = [names[0], ...tags.toLowerCase().split(', ')].toSorted().join();
    const shown = await row.locator('[title*="vip"]').getAttribute('title');
    expect(shown?.split(', ').toSorted().join()).toBe(all);
    await page.goto(`/calls?disposition=${encodeURIComponent(names[1] ?? '')}&tags=VIP`);
    await page.getByText(callWords.count_other.replace('{{calls}}', String(callCount / 2))).waitFor();
    expect(faults).toEqual([]);
    await close();
  },
);
