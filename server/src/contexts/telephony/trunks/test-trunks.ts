import { secondsAfter } from '../../../platform/time.ts';
import { type EngineEnd, ownLeg } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { EngineEvent } from '../ports.ts';
import { routeBy } from './choose-trunk.rules.ts';
import { testTakenWithinSeconds } from './trunk.rules.ts';
import { saveOutcome, type TrunkTest, type TrunkTestOutcome, takeTrunkTests } from './trunk-test.store.ts';

const ringSeconds = 30;
const maxConcurrent = 5;

/** Places the operator's trunk test calls. They belong to no account and are not charged. */
export async function testTrunks(control: Control): Promise<void> {
  const now = control.deps.clock.now();
  const { db } = control.deps;
  const requestedAfter = secondsAfter(now, -testTakenWithinSeconds);
  const tests = await takeTrunkTests(db, control.trunks.usable, requestedAfter, now, maxConcurrent);
  for (const test of tests) {
    await place(control, test).catch((err: unknown) =>
      control.deps.log.warn({ err, testId: test.id }, 'media node did not confirm the test call'),
    );
  }
}

async function place(control: Control, test: TrunkTest): Promise<void> {
  const { deps, node, trunkTests } = control;
  const trunk = control.trunks.usable.find(({ id }) => id === test.trunkId);
  if (!trunk) return await finish(control, test.id, 'failed', 'The trunk was removed during the test.');
  trunkTests.add(test.id);
  const isTaken = await node.dial({
    callId: test.id,
    leg: ownLeg(test.id),
    destination: {
      number: test.number,
      ringSeconds,
      routes: [routeBy(trunk, { destination: test.number, callerId: null })],
    },
    fundedSeconds: ringSeconds,
    record: false,
    notAfter: Math.ceil(secondsAfter(deps.clock.now(), testTakenWithinSeconds).getTime() / 1000),
  });
  if (isTaken) return;
  trunkTests.delete(test.id);
  await finish(control, test.id, 'failed', 'The media node refused the call.');
}

/** Handles an event of a test call; returns false for other events. */
export function followTest(control: Control, event: EngineEvent): boolean {
  if (!('callId' in event) || !control.trunkTests.has(event.callId)) return false;
  if (event.kind === 'answered') {
    void finish(control, event.callId, 'answered', `By ${control.lease.node}.`);
  } else if (event.kind === 'ended') {
    const { outcome, detail } = judge(event.end);
    void finish(control, event.callId, outcome, detail).finally(() =>
      control.trunkTests.delete(event.callId),
    );
  }
  return true;
}

const outcomes: Record<number, TrunkTestOutcome> = {
  17: 'busy',
  18: 'no-answer',
  19: 'no-answer',
  21: 'rejected',
};

function judge(end: EngineEnd): { outcome: TrunkTestOutcome; detail: string } {
  if (end.answeredOnNode !== null) return { outcome: 'answered', detail: '' };
  const sip = end.sipStatus === null ? 'no SIP response' : `SIP ${end.sipStatus}`;
  return { outcome: outcomes[end.cause] ?? 'failed', detail: `${sip}, Q.850 cause ${end.cause}` };
}

async function finish(
  { deps, lease }: Control,
  id: string,
  outcome: TrunkTestOutcome,
  detail: string,
): Promise<void> {
  await saveOutcome(deps.db, id, { outcome, detail, at: deps.clock.now() }).catch((err: unknown) =>
    deps.log.warn({ err, node: lease.node }, 'trunk test result not saved'),
  );
}
