import { expect, test } from 'vitest';
import { checkOwners, type Declarations } from '../sql/owner-rules.ts';
import { tablesOfSource, tablesOfSql } from '../sql/table-uses.ts';

/** Replaces `#{`, which planted code writes for the start of an interpolation. */
const interpolate = (code: string): string => code.replaceAll('#{', '\x24{');

const named = (code: string): string[] =>
  tablesOfSource('planted.ts', interpolate(code)).tables.map(({ table, writes }) =>
    writes ? `${table}!` : table,
  );

test.each([
  ["db.selectFrom('calls').select('id')", ['calls']],
  ["db.selectFrom('calls as c').innerJoin('users as u', 'u.id', 'c.user_id')", ['calls', 'users']],
  ["db.selectFrom(['calls as c', 'users as u'])", ['calls', 'users']],
  ["db.selectFrom((of) => of.selectFrom('calls').as('c'))", ['calls']],
  ["db.insertInto('calls').values({})", ['calls!']],
  ["db.updateTable('calls').set({}).where((of) => of.exists(of.selectFrom('users')))", ['calls!', 'users']],
  ["db.deleteFrom('calls')", ['calls!']],
  ["db.with('recent', (of) => of.selectFrom('calls')).selectFrom('recent')", ['calls']],
  ['sql`select 1 from calls c join edge.edges e on true where c.id = #{id}`', ['calls', 'edge.edges']],
  ['sql<Row>`with recent as (select 1 from calls) select 1 from recent, users`', ['users', 'calls']],
  ['prepared`insert into calls (id) values (#{id})`', ['calls!']],
  ['sql`update calls set x = #{x} from users returning id`', ['calls!', 'users']],
  ['sql`exists (select from calls where id = #{id})`', ['calls']],
  ['sql` calls c join users u on #{matches} where c.id = 1`', ['calls', 'users']],
  ['sql`select 1 from (#{inner}) x join lateral (select 1 from users) u on true #{rest}`', ['users']],
  ['sql`union all select 1 from calls`', ['calls']],
])('reads the tables of %s', (code, tables) => {
  expect(named(code).toSorted()).toEqual(tables.toSorted());
});

test.each([
  'db.selectFrom(table)',
  "db.selectFrom('calls').innerJoin(table, 'a', 'b')",
  'sql`select 1 from #{sql.table(name)}`',
  'sql`this is no SQL at all`',
])('a name that the code computes is reported: %s', (code) => {
  expect(tablesOfSource('planted.ts', interpolate(code)).unresolved).not.toEqual([]);
});

test('tables of functions are read from queries, expressions, assignments and triggers', () => {
  const text = `
    create or replace function f() returns trigger language plpgsql as $$
    declare n int := (select count(*) from users);
    begin
      if exists (select from charges) then n := (select 1 from rates); end if;
      for n in select 1 from trunks loop perform from edge.edges; end loop;
      with recent as (delete from calls returning id) select id into n from recent;
    end $$;
    create or replace trigger t after delete on accounts for each row execute function f();`;
  const { tables, unresolved } = tablesOfSql(text);
  expect(tables.map(({ table }) => table).toSorted()).toEqual([
    ...['accounts', 'calls', 'charges', 'edge.edges', 'rates', 'trunks', 'users'],
  ]);
  expect(tables.filter(({ writes }) => writes)).toEqual([{ table: 'calls', writes: true }]);
  expect(unresolved).toEqual([]);
  const dynamic =
    "create or replace function f() returns void language plpgsql as $$ begin execute format('drop table %I', 'x'); end $$";
  expect(tablesOfSql(dynamic).unresolved).toEqual(['EXECUTE']);
});

const declared: Declarations = {
  owned: { calls: ['calls'], users: ['users'], platform: ['keys'] },
  views: new Set(['user_names']),
  readModels: [{ file: 'server/src/contexts/calls/details.store.ts', tables: ['users'], reason: '' }],
  procedures: [{ file: 'server/sql/users/', tables: ['calls'], reason: '' }],
  computed: [{ file: 'server/src/platform/list.ts' }],
};
const uses = (table: string, writes = false) => ({ tables: [{ table, writes }], unresolved: [] });
const lawful = [
  { path: 'server/src/contexts/calls/details.store.ts', uses: uses('users') },
  { path: 'server/sql/users/erase.sql', uses: uses('calls', true) },
];
const faultsOf = (path: string, of: ReturnType<typeof uses>): string[] =>
  checkOwners([...lawful, { path, uses: of }], declared);

test.each([
  ['server/src/contexts/calls/call.store.ts', 'calls'],
  ['server/src/contexts/calls/list/call.store.ts', 'user_names'],
  ['server/sql/calls/f.sql', 'calls'],
  ['server/src/platform/keys.ts', 'keys'],
  ['server/src/platform/role.ts', 'pg_roles'],
])('%s may name %s', (path, table) => {
  expect(faultsOf(path, uses(table))).toEqual([]);
});

test.each([
  ['server/src/contexts/calls/call.store.ts', uses('users'), 'users belongs to users'],
  ['server/sql/calls/f.sql', uses('users', true), 'users belongs to users'],
  ['server/src/main/cli.ts', uses('calls'), 'calls belongs to calls'],
  ['server/src/platform/keys.ts', uses('calls'), 'calls belongs to calls'],
  ['server/src/contexts/calls/place-call.ts', uses('calls'), 'only *.store.ts files name tables'],
  ['server/src/contexts/calls/call.store.ts', uses('stories'), 'the table stories has no owner'],
  ['server/src/contexts/calls/call.store.ts', uses('user_names', true), 'user_names has no owner'],
  ['server/src/contexts/calls/details.store.ts', uses('users', true), 'a read model writes users'],
])('%s is refused', (path, of, fault) => {
  expect(faultsOf(path, of).join('\n')).toContain(fault);
});

test('a computed name is refused unless its file is declared', () => {
  const computed = { tables: [], unresolved: ['table'] };
  expect(faultsOf('server/src/platform/list.ts', computed as never)).toEqual([]);
  expect(faultsOf('server/src/contexts/calls/call.store.ts', computed as never)).toEqual([
    'server/src/contexts/calls/call.store.ts: cannot read the tables of table',
  ]);
});

test('a declaration that is no longer needed is refused', () => {
  expect(checkOwners(lawful.slice(1), declared)).toEqual([
    'tools/sql/table-owners.ts: server/src/contexts/calls/details.store.ts no longer names users.',
  ]);
});
