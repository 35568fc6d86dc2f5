import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configSchema } from '../../server/src/main/config.ts';
import { root } from '../../tools/dev/paths.ts';

const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');
const compose = read('compose/compose.yml');
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '');

it('the example contains every setting that compose requires', () => {
  const required = [...compose.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name ?? '');
  expect(required.length).toBeGreaterThan(5);
  expect(namesIn(read('compose/.env.example'))).toEqual(expect.arrayContaining(required));
});

it('the example contains no setting that compose does not use', () => {
  const names = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name ?? '');
  expect([...names, 'COMPOSE_FILE']).toEqual(expect.arrayContaining(namesIn(read('compose/.env.example'))));
});

it('every secret of compose is created by make-secrets', () => {
  const made = read('compose/make-secrets');
  const secrets = [...compose.matchAll(/^ {2}(\w+): \{ file: /gm)].map(([, name]) => name ?? '');
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((name) => !made.includes(name))).toEqual([]);
});

it('the units set only existing settings', () => {
  const names = Object.keys(configSchema.shape);
  expect(namesIn(read('systemd/server.env')).filter((name) => !names.includes(name))).toEqual([]);
});

it('publishing the API publishes neither voice nor PostgreSQL', () => {
  const published = [...compose.matchAll(/^ {4}ports: \["\$\{(\w+):-([\d.]+)\}:\$\{(\w+)/gm)];
  expect(published.map(([, bind, address, port]) => [port, bind, address])).toEqual([
    ['POSTGRES_PORT', 'PRIVATE_BIND_ADDRESS', '127.0.0.1'],
    ['API_PORT', 'API_BIND_ADDRESS', '127.0.0.1'],
    ['VOICE_PORT', 'PRIVATE_BIND_ADDRESS', '127.0.0.1'],
  ]);
});
