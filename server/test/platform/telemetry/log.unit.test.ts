import { expect, test } from 'vitest';
import { createLogger } from '../../../src/platform/telemetry/log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ level: 'info', process: 'test' }, { write: (line) => void lines.push(line) }));
  return lines.join('');
}

const secret = 'geheim';

test('a line redacts secrets at any depth and in any spelling', () => {
  const line = logged((log) =>
    log.info({
      password: secret,
      headers: { Authorization: secret },
      list: [{ a: { b: { token: secret } } }],
    }),
  );
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({
    password: '[redacted]',
    headers: { Authorization: '[redacted]' },
    list: [{ a: { b: { token: '[redacted]' } } }],
  });
});

test('an error redacts the secrets it carries', () => {
  const error = Object.assign(new Error('refused'), { config: { headers: { cookie: secret } } });
  const line = logged((log) => log.error({ err: error }, 'failed'));
  expect(line).not.toContain(secret);
  expect(JSON.parse(line).err).toMatchObject({ type: 'Error', message: 'refused' });
});

test('a child logger redacts the secrets in its bindings', () => {
  expect(logged((log) => log.child({ token: secret }).info('bound'))).not.toContain(secret);
});

test('a line keeps everything else, and the caller’s object is not changed', () => {
  const given = { at: new Date(0), count: 1, none: null, nested: { list: [1, 2] }, password: secret };
  const line = logged((log) => log.info(given));
  expect(JSON.parse(line)).toMatchObject({
    at: '1970-01-01T00:00:00.000Z',
    count: 1,
    none: null,
    nested: { list: [1, 2] },
  });
  expect(given.password).toBe(secret);
});

test('a circular reference is cut at the maximum depth', () => {
  const loop: Record<string, unknown> = {};
  loop.again = loop;
  expect(logged((log) => log.info({ loop }))).toContain('[too deep]');
});
