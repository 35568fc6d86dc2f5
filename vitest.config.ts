import { defineConfig } from 'vitest/config';

const services = ['server/test/harness/global-setup.ts'];

export default defineConfig({
  test: {
    // Two workers fit the smallest machine. Timeouts only end what hangs: nothing depends on an idle one.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'tools/**/*.test.ts',
            '!tools/docs/run/**',
            'simulator/**/*.test.ts',
            'deploy/test/*.test.ts',
            'server/test/**/*.unit.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts'],
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'sdk',
          include: ['sdk/test/**/*.test.ts', 'cli/test/**/*.test.ts'],
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          // After the others: tests of voice change the machine's network, and a browser drops what it loads when that happens.
          sequence: { groupOrder: 1 },
          include: ['console/test/**/*.test.ts'],
          globalSetup: ['console/test/harness/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'manual',
          // At the end: it starts a whole platform from nothing and calls by it.
          sequence: { groupOrder: 2 },
          include: ['tools/docs/run/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          // At the end, beside the manual: it builds every image, and its engine changes the machine's network.
          sequence: { groupOrder: 2 },
          include: ['deploy/test/containers/*.test.ts'],
          testTimeout: 600_000,
        },
      },
    ],
  },
});
