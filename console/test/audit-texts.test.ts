import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesOf } from '../src/features/audit/changes.ts';
import { subjects } from '../src/features/audit/view.ts';
import { texts as english } from '../src/locales/en/index.ts';
import { texts as portuguese } from '../src/locales/pt-BR/index.ts';

const server = join(import.meta.dirname, '../../server/src');
/** Names of jobs, which look like actions. */
const isJob = (code: string, name: string): boolean => code.includes(`name: '${name}'`);

/** The sources that write entries of the audit log. */
const writers = globSync('**/*.ts', { cwd: server })
  .filter((file) => !file.startsWith('contexts/audit/'))
  .map((file) => ({ file, code: readFileSync(join(server, file), 'utf8') }))
  .filter(({ code }) => /\brecordChange(By)?\(/.test(code));

const actionsIn = (code: string): string[] =>
  [...code.matchAll(/'([a-z][a-zA-Z-]*\.[a-z-]+)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isJob(code, name));

test('ACCT-06 every change that the server records has a text in both languages, and no text is left over', () => {
  expect(writers.filter(({ code }) => actionsIn(code).length === 0).map(({ file }) => file)).toEqual([]);
  const actions = [...new Set(writers.flatMap(({ code }) => actionsIn(code)))].map((action) =>
    action.replace('.', '/'),
  );
  expect(actions).toContain('account/unblock');
  expect(Object.keys(portuguese.audit.actions).sort()).toEqual(actions.sort());
  expect(Object.keys(english.audit.actions).sort()).toEqual(actions);
});

test('ACCT-06 every kind of object that the server records can be selected', () => {
  const types = writers.flatMap(({ code }) =>
    [...code.matchAll(/target: \{ type: '(\w+)'/g)].map(([, type = '']) => type),
  );
  expect(types).toContain('call');
  // Domains belong to single sign-on.
  const expected = new Set(types.map((type) => (type === 'domain' ? 'sso' : type)));
  expect([...expected].filter((type) => !subjects.some((subject) => subject === type))).toEqual([]);
});

test('ACCT-06 amounts in millionths of a real are shown in reais', () => {
  const entry = {
    before: { amountMicros: 1_250_500_000, status: 'PENDING' },
    after: { amountMicros: 90_000, status: 'PENDING' },
  };
  expect(changesOf(entry)).toEqual([{ name: 'amount', before: '1250.5', after: '0.09' }]);
});
