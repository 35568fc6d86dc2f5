import { expect, test } from 'vitest';
import { connectionOf } from '../../../src/adapters/postgres/programs.ts';

test.each([
  ['postgres://ana:p%40o@db/disca', 'postgres://ana@db/disca', 'p@o'],
  ['postgres://ana@db/disca?password=p%40o', 'postgres://ana@db/disca', 'p@o'],
  [
    'postgres://ana:old@db/disca?sslmode=require&password=p%40o&options=-c%20geqo%3Doff',
    'postgres://ana@db/disca?sslmode=require&options=-c%20geqo%3Doff',
    'p@o',
  ],
  ['postgres:///disca?host=/run/postgresql', 'postgres:///disca?host=/run/postgresql', undefined],
])('passes the password of %s in the environment, not in the arguments', (url, connection, password) => {
  const env = password === undefined ? {} : { PGPASSWORD: password };
  expect(connectionOf(url)).toEqual({ connection, env });
});
