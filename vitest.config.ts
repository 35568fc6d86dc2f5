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
            'simulator/**/*.test.ts',
            'server/test/unit/**/*.test.ts',
            'server/test/notifications/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: ['server/test/unit/**', 'server/test/notifications/**'],
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
    ],
  },
});
