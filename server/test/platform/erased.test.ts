import { expect, test } from 'vitest';
import { mentionOf, type Person } from '../../src/platform/erased.ts';
import { sharedPlatform } from '../harness/platform.ts';

async function mentions(person: Person, texts: string[]): Promise<string[]> {
  const { database } = await sharedPlatform();
  const rows = await database.query<{ text: string }>(
    'select text from unnest($1::text[]) with ordinality as given (text, n) where text ~* $2 order by n',
    [texts, mentionOf(person)],
  );
  return rows.map(({ text }) => text);
}

test('ACCT-09 finds a number in every notation, and not inside another number', async () => {
  const found = [
    '{"to": "5511987654321"}',
    '+55 (11) 98765-4321',
    'tel:+55-11-98765.4321',
    '011 98765-4321',
    '(11) 98765 4321 ramal 2',
    '11987654321',
  ];
  const others = ['15511987654321', '119876543210', '5521987654321', '98765-4321', '11 98765, 4321'];
  expect(await mentions({ phone: '5511987654321' }, [...found, ...others])).toEqual(found);
  const foreign = ['+1 (415) 555-2671', '14155552671'];
  expect(await mentions({ phone: '14155552671' }, [...foreign, '4155552671'])).toEqual(foreign);
});

test('ACCT-09 finds an e-mail address in any case, and not inside another address', async () => {
  const found = [
    '{"by": "ANA.B@example.com"}',
    'mailto:ana.b@example.com?subject=x',
    'Write to ana.b@example.com.',
  ];
  const others = ['joana.b@example.com', 'x.ana.b@example.com', 'ana.b@example.com.br', 'anaxb@example.com'];
  expect(await mentions({ email: 'ana.b@example.com' }, [...found, ...others])).toEqual(found);
});
