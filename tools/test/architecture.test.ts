import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allExtensions, cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');

const packages = ['fastify', 'ioredis', 'kysely', 'nodemailer', 'pg-boss', 'vitest'];

const lawful: Record<string, string[]> = {
  'server/src/main/api.ts': ['../http/app.ts', '../contexts/users/user.jobs.ts', '../adapters/mail/smtp.ts'],
  'server/src/http/app.ts': ['fastify', '../contexts/users/user.routes.ts', '../contexts/accounts/index.ts'],
  'server/src/adapters/mail/smtp.ts': ['nodemailer', '../../contexts/notifications/index.ts'],
  'server/src/contexts/notifications/index.ts': ['../../platform/errors.ts'],
  'server/src/contexts/accounts/index.ts': ['../users/index.ts', './account.store.ts'],
  'server/src/contexts/accounts/account.store.ts': ['kysely'],
  'server/src/contexts/users/index.ts': ['../notifications/index.ts', './user.rules.ts', './user.store.ts'],
  'server/src/contexts/users/user.store.ts': ['kysely', '../../platform/errors.ts'],
  'server/src/contexts/users/user.rules.ts': ['../../platform/errors.ts'],
  'server/src/contexts/users/user.routes.ts': ['fastify', './index.ts'],
  'server/src/contexts/users/user.jobs.ts': ['./index.ts'],
  'server/src/platform/errors.ts': [],
  'server/src/platform/db/prepared.ts': ['kysely'],
  'server/src/platform/redis/redis.ts': ['ioredis', '../errors.ts'],
  'server/test/harness.ts': ['../src/http/app.ts'],
};

const planted: [rule: string, file: string, imported: string][] = [
  ['direction-users', 'server/src/contexts/users/a.ts', '../accounts/index.ts'],
  ['front-door-only', 'server/src/contexts/users/b.ts', '../accounts/account.store.ts'],
  ['front-door-only-from-outside', 'server/src/http/c.ts', '../contexts/users/user.store.ts'],
  ['context-is-in-the-table', 'server/src/contexts/strangers/d.ts', '../../platform/errors.ts'],
  ['routes-are-mounted-by-http-or-main', 'server/src/contexts/users/e.ts', './user.routes.ts'],
  ['jobs-are-mounted-by-main', 'server/src/http/f.ts', '../contexts/users/user.jobs.ts'],
  ['rules-are-pure', 'server/src/contexts/users/g.rules.ts', 'node:fs'],
  ['fastify-only-at-the-edge', 'server/src/contexts/users/h.ts', 'fastify'],
  ['sql-only-in-stores', 'server/src/contexts/users/i.ts', 'kysely'],
  ['sql-only-in-stores', 'server/src/contexts/users/t.ts', '../../platform/db/prepared.ts'],
  ['routes-and-jobs-never-touch-stores', 'server/src/contexts/users/j.routes.ts', './user.store.ts'],
  ['contexts-know-no-outside', 'server/src/contexts/users/k.ts', '../../adapters/mail/smtp.ts'],
  ['platform-is-the-floor', 'server/src/platform/l.ts', '../contexts/users/index.ts'],
  ['the-product-runs-without-its-tools', 'server/src/http/m.ts', '../../test/harness.ts'],
  ['no-development-packages', 'server/src/http/n.ts', 'vitest'],
  ['vendor-ioredis', 'server/src/contexts/users/o.ts', 'ioredis'],
  ['vendor-nodemailer', 'server/src/contexts/notifications/p.ts', 'nodemailer'],
  ['vendor-pg-boss', 'server/src/http/q.ts', 'pg-boss'],
  ['no-cycles', 'server/src/platform/r.ts', './s.ts'],
];

const tree = mkdtempSync(join(tmpdir(), 'disca-architecture-'));

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function plantModule(path: string, imports: string[], kind = 'import'): void {
  const lines = imports.map((imported, n) => `${kind} { x as x${n} } from '${imported}';`);
  plant(path, `${lines.join('\n')}\nexport const x = 1;\n`);
}

async function violations(): Promise<{ rule: string; file: string }[]> {
  const cruiseOptions: ICruiseOptions = { ...options, baseDir: tree, validate: true, ruleSet: { forbidden } };
  const { output } = await cruise(['server'], cruiseOptions);
  const { summary } = output as ICruiseResult;
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, file: from }));
}

beforeAll(() => {
  const dependencies = Object.fromEntries(
    packages.filter((name) => name !== 'vitest').map((name) => [name, '1']),
  );
  plant('package.json', JSON.stringify({ dependencies, devDependencies: { vitest: '1' } }));
  for (const name of packages) {
    plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    plant(`node_modules/${name}/index.js`, 'exports.x = 1;');
  }
  for (const [path, imports] of Object.entries(lawful)) plantModule(path, imports);
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe('the import rules', () => {
  it('can parse TypeScript, which needs @swc/core', () => {
    expect(allExtensions).toContainEqual({ extension: '.ts', available: true });
  });

  it('accept a tree without violations', async () => {
    expect(await violations()).toEqual([]);
  });

  it('accept type imports where value imports are rejected', async () => {
    plantModule('server/src/contexts/users/types-only.ts', ['kysely'], 'import type');
    plantModule('server/src/contexts/users/types.rules.ts', ['./user.store.ts'], 'import type');
    plantModule('server/src/platform/half.ts', ['./other-half.ts']);
    plantModule('server/src/platform/other-half.ts', ['./half.ts'], 'import type');
    expect(await violations()).toEqual([]);
  });

  it('catch every planted violation', async () => {
    for (const [, file, imported] of planted) plantModule(file, [imported]);
    plantModule('server/src/platform/s.ts', ['./r.ts']);
    plantModule('server/src/platform/orphan.ts', []);
    const reported = await violations();
    for (const [rule, file] of planted) expect(reported).toContainEqual({ rule, file });
    expect(reported).toContainEqual({ rule: 'no-orphans', file: 'server/src/platform/orphan.ts' });
  });
});
