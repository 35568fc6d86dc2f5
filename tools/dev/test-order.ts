import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of over 40 seconds. Without a result cache, as in CI, vitest starts large files first. Some of these are small,
 * and a long file that starts last leaves the other workers idle. Those that need a whole core (the fuzzer, parallel
 * holds, the event storm, the ledger model) are apart, so that each runs beside files that mostly wait.
 */
export const longFiles = [
  'server/test/scenarios/chaos/chaos.test.ts',
  'server/test/scenarios/many-nodes/rolling.test.ts',
  'server/test/scenarios/failover/failover.test.ts',
  'server/test/scenarios/hosts/host-loss.test.ts',
  'server/test/scenarios/failover/machines.test.ts',
  'server/test/scenarios/chaos/funded-time.test.ts',
  'server/test/scenarios/many-nodes/nodes.test.ts',
  'server/test/scenarios/fuzz/http-fuzz.test.ts',
  'server/test/contexts/calls/lifecycle/funding.test.ts',
  'server/test/scenarios/networks/browser.test.ts',
  'server/test/contexts/calls/lifecycle/endings.test.ts',
  'server/test/contexts/charges/event-storm.test.ts',
  'server/test/scenarios/backup/restore.test.ts',
  'server/test/scenarios/audio/missing.test.ts',
  'server/test/contexts/billing/ledger-model/model.test.ts',
  'server/test/scenarios/chaos/engine-faults.test.ts',
  'server/test/scenarios/audio/audio.test.ts',
  'server/test/contexts/billing/holds/parallel-holds.test.ts',
  'server/test/scenarios/webhook-faults/faults.test.ts',
  'server/test/contexts/calls/placing/spoken-code.test.ts',
  'deploy/test/haproxy.test.ts',
  'console/test/screens-first.test.ts',
  'console/test/screens-second.test.ts',
  'console/test/phone-line.test.ts',
  'console/test/phone-manners.test.ts',
  'console/test/phone.test.ts',
  'console/test/integrations.test.ts',
  'console/test/desk-call.test.ts',
  'tools/docs/run/manual.test.ts',
  'deploy/test/containers/stack.test.ts',
  'server/test/bench/short-forms/calls.test.ts',
  'server/test/bench/short-forms/neighbour.test.ts',
];

/**
 * Vitest reuses a worker, and with it the loaded modules and the shared platform, only if the next file is of the same
 * project. Projects of a group therefore do not mix; the one with the shortest files is last, so that the workers end
 * together.
 */
const projects = ['server', 'sdk', 'unit'];

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
const turnOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);

function rank({ moduleId }: TestSpecification): number {
  const index = longFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index === -1 ? longFiles.length : index;
}

/** Starts the long files of each project, or of each group of other projects, before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(
      (one, other) => groupOf(one) - groupOf(other) || turnOf(one) - turnOf(other) || rank(one) - rank(other),
    );
  }
}
