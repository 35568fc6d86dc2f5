import { expect, test } from 'vitest';
import { Disca, type DiscaOptions } from '../src/index.ts';

const baseUrl = 'https://voice.example.com';
const create = (options: unknown) => () => new Disca(options as DiscaOptions);

test('bug: a missing baseUrl is refused by name, with what is expected', () => {
  const expected =
    'The option baseUrl must be the URL of the service, such as https://voice.example.com, not';
  for (const options of [{ baseUrl: undefined }, {}, undefined])
    expect(create(options)).toThrow(new TypeError(`${expected} undefined.`));
  for (const given of ['', 'voice.example.com', 'ftp://voice.example.com', 'https://'])
    expect(create({ baseUrl: given })).toThrow(new TypeError(`${expected} "${given}".`));
  expect(create({ baseUrl: 7 })).toThrow(new TypeError(`${expected} 7.`));
});

test('every option is checked when the client is created', () => {
  const wrong = { token: 7, timeoutMs: '30', retries: -1, maxWaitMs: Number.NaN, onRetry: {}, fetch: 'x' };
  for (const [name, value] of Object.entries(wrong))
    expect(create({ baseUrl, [name]: value })).toThrow(new RegExp(`^The option ${name} must be an? `));
});

test('an error about a token does not contain it', () => {
  expect(create({ baseUrl, token: { id: 'top-secret' } })).toThrow(
    'The option token must be an access token or a function that returns one, not object.',
  );
  expect(create({ baseUrl, token: '' })).toThrow('not string.');
});

test('absent options and options that are undefined have their defaults', () => {
  for (const options of [{ baseUrl }, { baseUrl: `${baseUrl}/api/v1/`, token: undefined, retries: 0 }])
    expect(create(options)()).toBeInstanceOf(Disca);
  expect(create({ baseUrl: 'http://localhost:3000', token: async () => 'x', fetch })()).toBeInstanceOf(Disca);
});
