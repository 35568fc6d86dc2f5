import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configSchema } from '../../server/src/main/config.ts';
import { root } from '../../tools/dev/paths.ts';

const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');
const compose = read('compose/compose.yml');
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '');

it('the example names every setting that compose cannot do without', () => {
  const required = [...compose.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name ?? '');
  expect(required.length).toBeGreaterThan(5);
  expect(namesIn(read('compose/.env.example'))).toEqual(expect.arrayContaining(required));
});

it('the example names nothing that compose does not know', () => {
  const known = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name ?? '');
  expect([...known, 'COMPOSE_FILE']).toEqual(expect.arrayContaining(namesIn(read('compose/.env.example'))));
});

it('every secret of compose is made by make-secrets', () => {
  const made = read('compose/make-secrets');
  const secrets = [...compose.matchAll(/^ {2}(\w+): \{ file: /gm)].map(([, name]) => name ?? '');
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((name) => !made.includes(name))).toEqual([]);
});

it('what the units set for our programs is a setting of theirs', () => {
  const known = Object.keys(configSchema.shape);
  expect(namesIn(read('systemd/server.env')).filter((name) => !known.includes(name))).toEqual([]);
});

it('opening the API to others opens neither voice nor PostgreSQL', () => {
  const published = [...compose.matchAll(/^ {4}ports: \["\$\{(\w+):-([\d.]+)\}:\$\{(\w+)/gm)];
  expect(published.map(([, bind, address, port]) => [port, bind, address])).toEqual([
    ['POSTGRES_PORT', 'PRIVATE_BIND_ADDRESS', '127.0.0.1'],
    ['API_PORT', 'API_BIND_ADDRESS', '127.0.0.1'],
    ['VOICE_PORT', 'PRIVATE_BIND_ADDRESS', '127.0.0.1'],
  ]);
});
