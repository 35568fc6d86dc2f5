import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { hangupCauses } from '../../server/src/contexts/calls/causes.rules.ts';
import { causeInPortuguese } from '../../server/src/platform/cause-texts.ts';
import { endText } from '../src/features/phone/end-text.ts';
import { reasonOfCause, toEndReason } from '../src/features/phone/engine/end-reason.ts';
import type { PhoneCall } from '../src/features/phone/state.ts';
import { texts } from '../src/locales/pt-BR/index.ts';
import { loadTexts } from '../src/locales/texts.ts';
import { causeBySipStatus, causeText } from '../src/shared/format/causes.ts';
import { destinationName } from '../src/shared/format/destination-name.ts';

async function textsIn(language: 'en' | 'pt-BR') {
  const i18n = createInstance();
  await i18n.init({
    lng: language,
    resources: { [language]: { translation: await loadTexts(language) } },
    interpolation: { escapeValue: false },
  });
  return i18n.t;
}

const dialing: PhoneCall = {
  number: '5511987654322',
  direction: 'out',
  isPlaced: false,
  stage: 'dialing',
  id: undefined,
  party: undefined,
  isRecorded: false,
  connectedAtMs: undefined,
  answeredAtMs: undefined,
  isMuted: false,
  keys: '',
  quality: undefined,
  isSilenced: false,
};

/** A call that the service accepted has a record, and therefore an id. */
const refusedWith = (status: number, id?: string) =>
  toEndReason({ ...dialing, id }, { originator: 'remote', cause: 'Rejected', status });

test.each(Object.entries(causeBySipStatus))(
  'CALL-89 the phone names the end of a call refused with %s as the call list does',
  async (status, cause) => {
    const reason = refusedWith(Number(status), '019a8f00-0000-7000-8000-000000000000');
    expect(reason).toBe(cause);
    for (const language of ['en', 'pt-BR'] as const) {
      const t = await textsIn(language);
      expect(endText(t, reason)).toMatch(new RegExp(`^${causeText(t, cause)}\\. \\p{Lu}.*\\.$`, 'u'));
    }
  },
);

test('CALL-87 a call refused with 600 before it has a record is at the limit of the account', () => {
  expect(refusedWith(600)).toBe('capacity');
});

test.each([
  ['you', { stage: 'ringing', connectedAtMs: 1 }, 'local'],
  ['notConnected', { stage: 'ringing', connectedAtMs: 1 }, 'remote'],
  ['cancelled', { stage: 'incoming' }, 'local'],
  ['notAnswered', { stage: 'incoming' }, 'remote'],
  ['them', { stage: 'talking', connectedAtMs: 1 }, 'remote'],
] as const)('a call that a CRM placed ends as %s', (reason, change, originator) => {
  const placed: PhoneCall = { ...dialing, direction: 'in', isPlaced: true, ...change };
  expect(toEndReason(placed, { originator, cause: 'Terminated', status: undefined })).toBe(reason);
});

test.each([
  ['USER_BUSY', 'USER_BUSY'],
  ['NORMAL_CLEARING', 'them'],
  ['ORIGINATOR_CANCEL', 'you'],
  ['NORMAL_TEMPORARY_FAILURE', 'unavailable'],
])('the cause %s of a placed call that was not connected is shown as %s', (cause, reason) => {
  expect(reasonOfCause(cause)).toBe(reason);
});

test('CALL-68 CALL-89 exported files name the end of a call as the console does', async () => {
  const t = await textsIn('pt-BR');
  expect(Object.keys(texts.calls.causes).toSorted()).toEqual(hangupCauses.toSorted());
  expect(hangupCauses.map((cause) => causeText(t, cause))).toEqual(hangupCauses.map(causeInPortuguese));
});

test('CALL-89 end reasons are translated in one place', () => {
  const sources = join(import.meta.dirname, '../src');
  const translating = globSync('**/*.{ts,tsx}', { cwd: sources }).filter((file) =>
    readFileSync(join(sources, file), 'utf8').includes('`calls.causes.'),
  );
  expect(translating).toEqual(['shared/format/causes.ts']);
});

test('CALL-89 a number that has changed is not shown as one that does not exist', async () => {
  const t = await textsIn('pt-BR');
  expect(endText(t, refusedWith(410))).toBe('Número mudou. Confirme o novo número com a pessoa.');
  expect(endText(t, refusedWith(404))).toBe('Número não existe. Confira o número e o DDD.');
});

test.each([
  ['Brazil fixed', 'Brasil fixo', 'Brazil fixed'],
  ['Brazil mobile 11', 'Brasil celular 11', 'Brazil mobile 11'],
  ['Germany', 'Alemanha', 'Germany'],
  ['Rate of 55119', 'Rate of 55119', 'Rate of 55119'],
])('the price-list destination %j is %j in Portuguese', async (description, portuguese, english) => {
  expect(destinationName(await textsIn('pt-BR'), 'pt-BR', description)).toBe(portuguese);
  expect(destinationName(await textsIn('en'), 'en', description)).toBe(english);
});
