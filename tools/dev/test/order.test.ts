import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LongestFirst, longFiles } from '../test-order.ts';

const withoutCache = { cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest;

const specification = (moduleId: string, groupOrder: number, name = 'any') =>
  ({ moduleId, project: { name, config: { sequence: { groupOrder } } } }) as TestSpecification;

test('long files start first within their group, and groups keep their order', async () => {
  const [longest = '', second = ''] = longFiles;
  const given: [string, number][] = [
    ['/repo/console/test/home.test.ts', 1],
    [`/repo/${second}`, 0],
    ['/repo/server/test/http/errors.test.ts', 0],
    [`/repo/${longest}`, 1],
    [`/repo/${longest}`, 0],
  ];
  const sorted = await new LongestFirst(withoutCache).sort(given.map((each) => specification(...each)));
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([
    `/repo/${longest}`,
    `/repo/${second}`,
    '/repo/server/test/http/errors.test.ts',
    `/repo/${longest}`,
    '/repo/console/test/home.test.ts',
  ]);
});

test('the projects of a group do not mix, because a worker is reused for files of one project only', async () => {
  const [longest = ''] = longFiles;
  const given: [string, number, string][] = [
    ['/repo/sdk/test/calls.test.ts', 0, 'sdk'],
    [`/repo/${longest}`, 0, 'unit'],
    ['/repo/server/test/http/errors.test.ts', 0, 'server'],
    ['/repo/tools/test/words.test.ts', 0, 'unit'],
    ['/repo/server/test/http/bodies.test.ts', 0, 'server'],
  ];
  const sorted = await new LongestFirst(withoutCache).sort(given.map((each) => specification(...each)));
  expect(sorted.map(({ project, moduleId }) => [project.name, moduleId])).toEqual([
    ['server', '/repo/server/test/http/errors.test.ts'],
    ['server', '/repo/server/test/http/bodies.test.ts'],
    ['sdk', '/repo/sdk/test/calls.test.ts'],
    ['unit', `/repo/${longest}`],
    ['unit', '/repo/tools/test/words.test.ts'],
  ]);
});

test('the listed long files exist', () => {
  expect(longFiles.filter((file) => !existsSync(file))).toEqual([]);
});
