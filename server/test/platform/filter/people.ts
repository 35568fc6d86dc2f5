import { type Generated, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { defineList } from '../../../src/platform/filter/index.ts';
import { cloneDatabase } from '../../harness/database.ts';

/** A row of a small table with every field type, ties and nulls. */
export interface Person {
  id: number;
  email: string;
  nick: string | null;
  age: number | null;
  score: number;
  active: boolean;
  role: string;
  born_at: Date | null;
  key: string;
  metadata: Record<string, unknown> | null;
}

export interface PeopleDatabase {
  people: { [Column in keyof Person]: Column extends 'id' ? Generated<Person['id']> : Person[Column] };
}

export const peopleList = defineList({
  name: 'people',
  fields: {
    id: { type: 'integer', sortable: true },
    email: { type: 'text', sortable: true, aliases: ['mail'] },
    nick: { type: 'text', sortable: true, nullable: true },
    age: { type: 'integer', sortable: true, nullable: true },
    score: { type: 'number', sortable: true },
    active: { type: 'boolean', sortable: true },
    role: { type: 'enum', values: ['ADMIN', 'USER'] },
    bornAt: { column: 'born_at', type: 'timestamp', sortable: true, nullable: true, aliases: ['date'] },
    key: { type: 'uuid' },
    metadata: { type: 'json', nullable: true },
    secret: { type: 'text', filterable: false },
  },
  defaultOrder: ['id DESC'],
  tieBreaker: 'id',
  includes: ['user', 'timeline'],
  maxLimit: 1000,
});

const createPeople = `
create table people (
  id bigint generated always as identity primary key, email text not null collate "C", nick text collate "C",
  age integer, score double precision not null, active boolean not null, role text not null,
  born_at timestamptz, key uuid not null, metadata jsonb
)`;

/** Opens the table in a separate database, which is dropped when the test file ends. */
export async function openPeople(people: Omit<Person, 'id'>[]) {
  const database = await cloneDatabase();
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  pool.on('connect', (client) => client.setTypeParser(pg.types.builtins.INT8, Number));
  await pool.query(createPeople);
  const statements: string[] = [];
  const db = new Kysely<PeopleDatabase>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await db.insertInto('people').values(people).execute();
  const close = async () => {
    await db.destroy();
    await database.drop();
  };
  return { db, pool, statements, close };
}

export const source = (trx: Transaction<PeopleDatabase>) => trx.selectFrom('people').selectAll();

/** Thirty people with fixed pseudo-random values: every field repeats, every nullable one is sometimes null. */
export const thirtyPeople: Omit<Person, 'id'>[] = Array.from({ length: 30 }, (_, i) => ({
  email: `${['ana', 'bia', 'Caio', 'davi', 'eva'][i % 5]}${i}@example.com`,
  nick: i % 4 === 0 ? null : (['a%b', 'a_b', 'a\\b', 'Ab', 'aab', '', 'x'][i % 7] ?? null),
  age: i % 6 === 0 ? null : 20 + (i % 5),
  score: [0, 0.1, -1.5, 1e21, 2][i % 5] ?? 0,
  active: i % 3 === 0,
  role: i % 8 === 0 ? 'ADMIN' : 'USER',
  born_at: i % 9 === 0 ? null : new Date(Date.UTC(2025, 0, 1 + (i % 4), (i * 7) % 24)),
  key: `0190000${i % 7}-0000-7000-8000-000000000000`,
  metadata: i % 10 === 0 ? null : buildMetadata(i),
}));

function buildMetadata(i: number): Record<string, unknown> {
  return {
    deal: ['D1', 'D2', 'd1', '7'][i % 4],
    ...(i % 3 === 0 ? { score: i % 2 === 0 ? 7 : null } : {}),
    ...(i % 5 === 0 ? { tags: ['x', 'y'], owner: { name: 'Ana', vip: true } } : {}),
    'with.dot': i % 2 === 0,
  };
}
