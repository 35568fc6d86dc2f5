import { defineConfig } from 'vitest/config';
import { inBuilds } from './tools/dev/paths.ts';
import { LongestFirst } from './tools/dev/test-order.ts';

// Tests start hundreds of Node processes. Compiled modules, kept for the next one, halve the CPU time of a start.
process.env.NODE_COMPILE_CACHE ??= inBuilds('compile-cache');

const benches = ['server/test/bench/short-forms/*.test.ts'];
const services = ['server/test/harness/global-setup.ts'];

export default defineConfig({
  test: {
    // Two workers suit the smallest machine. Timeouts only end hanging tests, also on a machine that is many times
    // slower; no test depends on an idle machine.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
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
          // Starting a process for each of these files takes longer than most of them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', ...benches],
          // Files of one worker share their modules, and therefore the platform of harness/platform.ts.
          isolate: false,
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'sdk',
          include: ['sdk/test/**/*.test.ts', 'cli/test/**/*.test.ts'],
          isolate: false,
          globalSetup: services,
        },
      },
      {
        extends: true,
        test: {
          name: 'bench',
          // Runs last, beside the manual: the benchmark of calls changes the machine's network.
          sequence: { groupOrder: 2 },
          include: benches,
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          // Runs after the others: voice tests change the machine's network, and browsers then abort running requests.
          sequence: { groupOrder: 1 },
          include: ['console/test/**/*.test.ts'],
          // Files of one worker share their modules, and therefore the browser of harness/browser.ts.
          isolate: false,
          globalSetup: ['console/test/harness/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'manual',
          // Runs last: it starts a complete platform from scratch and places calls.
          sequence: { groupOrder: 2 },
          include: ['tools/docs/run/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          // Runs last, beside the manual: it builds every image, and its engine changes the machine's network.
          sequence: { groupOrder: 2 },
          include: ['deploy/test/containers/*.test.ts'],
          testTimeout: 600_000,
        },
      },
    ],
  },
});
