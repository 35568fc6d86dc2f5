import { expect, test } from 'vitest';
import { type Definition, inOrder } from '../../server/src/platform/db/definition-files.ts';
import { checkDefinitions, checkMigrations, definedObjects } from '../sql/definition-rules.ts';
import { checkPrepared } from '../sql/prepared-rules.ts';

const contexts = ['calls', 'platform'];

const file = (name: string, text: string): Definition => ({
  name,
  text: `-- A comment.\n${text}`,
  checksum: '',
  requires: /^-- requires: (.+)$/m.exec(text)?.[1]?.split(', ') ?? [],
  after: /^-- after: (.+)$/m.exec(text)?.[1]?.split(', ') ?? [],
});

const one = file(
  'platform/one',
  'create or replace function one() returns integer language sql return 1; revoke all on function one from public;',
);

test('files with one function, one view or the policies of a table are accepted', () => {
  const files = [
    one,
    file('calls/shown', '-- requires: platform/one\ncreate or replace view shown as select one() as one;'),
    file(
      'calls/rows.policies',
      'alter table rows enable row level security; drop policy if exists own on rows; create policy own on rows using (true);',
    ),
  ];
  expect(checkDefinitions(files, contexts)).toEqual([]);
  expect(definedObjects(files).map(({ identity }) => identity)).toEqual([
    'function public.one',
    'view public.shown',
    'row security of public.rows',
    'policy own on public.rows',
  ]);
});

test.each([
  [
    'an unknown folder',
    file('stories/one', 'create or replace view one as select 1;'),
    'stories is not a context',
  ],
  [
    'a function that cannot be replaced',
    file('calls/f', 'create function f() returns int language sql return 1;'),
    'cannot be applied twice',
  ],
  ['another name', file('calls/f', 'create or replace view g as select 1;'), 'the file must have that name'],
  [
    'two views',
    file('calls/f', 'create or replace view f as select 1; create or replace view g as select 1;'),
    'instead of one',
  ],
  [
    'policies of another table',
    file('calls/a.policies', 'alter table b enable row level security;'),
    'does not belong here',
  ],
  [
    'a table',
    file('calls/f', 'create or replace view f as select 1; create table t ();'),
    'CreateStmt cannot be applied twice',
  ],
  [
    'a call without a requirement',
    file('calls/f', 'create or replace view f as select one();'),
    'It must require platform/one',
  ],
  [
    'a requirement without a call',
    file('calls/f', '-- requires: platform/one\ncreate or replace view f as select 1;'),
    'It does not use platform/one',
  ],
  [
    'a call inside PL/pgSQL without a requirement',
    file(
      'calls/f',
      'create or replace function f() returns int language plpgsql as $$ declare x int := one(); begin return x; end $$;',
    ),
    'It must require platform/one',
  ],
])('%s is refused', (_, planted, fault) => {
  expect(checkDefinitions([one, planted], contexts).join('\n')).toContain(fault);
});

test('definitions are applied after those that they require and those that must be replaced first', () => {
  const first = file('calls/a', '-- requires: platform/one\nselect 1;');
  expect(inOrder([first, one]).map(({ name }) => name)).toEqual(['platform/one', 'calls/a']);
  const late = file('calls/b', '-- after: calls/c\nselect 1;');
  expect(inOrder([late, file('calls/c', 'select 1;')]).map(({ name }) => name)).toEqual([
    'calls/c',
    'calls/b',
  ]);
  expect(() => inOrder([file('calls/a', '-- requires: calls/b\n')])).toThrow('calls/b, which does not exist');
  const cycle = [file('calls/a', '-- requires: calls/b\n'), file('calls/b', '-- requires: calls/a\n')];
  expect(() => inOrder(cycle)).toThrow('a cycle');
});

test.each([
  [
    'creates a function',
    'create function f() returns int language sql return 1',
    'CreateFunctionStmt belongs to server/sql',
  ],
  ['drops a view', 'drop view v', 'DropStmt belongs to server/sql'],
  ['creates a policy', 'create policy p on t using (true)', 'CreatePolicyStmt belongs to server/sql'],
  ['enables row-level security', 'alter table t enable row level security', 'belongs to server/sql'],
  ['calls a function', 'update t set x = one()', 'It calls one'],
  ['calls a function in a default', 'create table t (x int default one())', 'It calls one'],
  ['calls a function in a block', 'do $$ begin perform one(); end $$', 'It calls one'],
])('a migration after 0032 that %s is refused', (_, text, fault) => {
  expect(checkMigrations([{ name: '0033_planted.sql', text }], [one]).join('\n')).toContain(fault);
  expect(checkMigrations([{ name: '0032_former.sql', text }], [one])).toEqual([]);
});

test('a migration after 0032 may change tables and data', () => {
  const text =
    'create table t (x int default abs(-1)); alter table t add y int; grant select on t to public;';
  expect(checkMigrations([{ name: '0033_tables.sql', text }], [one])).toEqual([]);
});

/** Replaces `#{`, which planted code writes for the start of an interpolation. */
const interpolate = (code: string): string => code.replaceAll('#{', '\x24{');

test.each([
  'prepared`select * from live_calls where id = #{id}`',
  'prepared<Row>`select c.* from claim_calls(#{node}) c`',
  'prepared`update calls set x = #{x} returning *`',
  'columns`id, *`',
  'const query = db.selectFrom("t").selectAll(); executePrepared(tx, query.compile())',
  'const query = sql`select * from f(#{x})`; queryPrepared(db, query.compile(db.kysely))',
])('a prepared statement with * is refused: %s', (code) => {
  expect(checkPrepared('planted.ts', interpolate(code))).toHaveLength(1);
});

test('prepared statements with named columns are accepted', () => {
  const code =
    'const shared = columns`id, name`; prepared`select #{shared}, count(*) from t where a * 2 = #{b}`; sql`select * from t`';
  expect(checkPrepared('good.ts', interpolate(code))).toEqual([]);
});
