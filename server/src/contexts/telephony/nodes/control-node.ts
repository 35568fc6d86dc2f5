import { setTimeout as sleep } from 'node:timers/promises';
import { createAudioNotes, createMover, findCallsOfNode, findLegsOfNode } from '../../calls/index.ts';
import { followEvent } from '../legs/follow-event.ts';
import { createFollowedCalls } from '../legs/followed-calls.ts';
import { renewCalls } from '../legs/renew-calls.ts';
import { watchAudio } from '../legs/watch-audio.ts';
import { watchSources } from '../legs/watch-sources.ts';
import type { MediaNode } from '../ports.ts';
import { applyTrunks, noTrunks } from '../trunks/apply-trunks.ts';
import { testTrunks } from '../trunks/test-trunks.ts';
import { keepClaiming } from './claim-calls.ts';
import type { Control, ControlDeps } from './control.ts';
import { reservedForLive } from './node.rules.ts';
import { noteFull, noteGone, noteSeen, takeLease } from './node.store.ts';
import { createNodeClock } from './node-clock.ts';
import { readClock } from './read-clock.ts';
import { adoptCalls, reconcileIfDue } from './reconcile-node.ts';

const tickEveryMs = 1_000;
const reconcileEveryTicks = 5;
/** Interval of clock probes. Together with `maxProbeDelayMs`, a hung node stops receiving calls within 1.5 s. */
const probeEveryMs = 500;
const maxProbeDelayMs = 1_000;
/** A node that has answered no probe for this long is considered disconnected. */
const maxSilenceMs = 10_000;
/** Interval of audio readings. Audio is missing after two without a packet: 3 to 4.5 s after its last packet. */
const watchEveryMs = 1_500;
/** Interval of readings of the addresses to which audio is sent. Diverted audio ends the call within a second. */
const sourcesEveryMs = 500;
const settlePauseMs = 10;

/**
 * Controls one media node while it is connected to this process. If this process dies, the calls continue in the engine
 * and the next lease holder adopts them.
 */
export async function controlNode(deps: ControlDeps, node: MediaNode, stopping: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const engine = { ...(await node.info()), controlsCalls: await node.controlsCalls() };
  const lease = await takeLease(db, node.name, engine, clock.now());
  deps.observer.leaseChanged(lease.isNewLife ? 'new_life' : 'taken');
  let isOver = false;
  const calls = createFollowedCalls(
    () => isOver,
    (err, callId) => log.warn({ err, callId, node: node.name }, 'call update failed; retrying'),
  );
  const control: Control = {
    deps,
    node,
    lease,
    calls,
    moveCall: createMover(db, lease),
    noteAudio: createAudioNotes(db, lease),
    clock: createNodeClock(() => clock.now()),
    probeSentAt: null,
    seenAt: clock.now(),
    recordsCompleteAt: null,
    trunks: noTrunks(),
    trunkTests: new Set(),
    pendingLegs: new Map(),
    comparedAt: new Date(0),
    doubtedAt: clock.now(),
    noteDoubt() {
      control.doubtedAt = clock.now();
    },
    freeSlots: () => (responds(control) ? Math.max(deps.maxCallsPerNode - calls.size, 0) : 0),
    freeTestSlots() {
      const routing = [...control.pendingLegs.keys()].filter((leg) => !calls.ofLeg(leg)).length;
      return Math.max(control.freeSlots() - routing - reservedForLive(deps.maxCallsPerNode), 0);
    },
  };
  for (const call of await findCallsOfNode(db, node.name)) calls.add(call, lease.lastSeenAt ?? clock.now());
  for (const leg of await findLegsOfNode(db, node.name)) calls.get(leg.callId)?.legs.push(leg);
  await readClock(control);
  await applyTrunks(control);
  node.onEvent((event) => followEvent(control, event));
  log.info(
    { node: node.name, epoch: lease.epoch, calls: calls.size, isNewLife: lease.isNewLife },
    'media node connected',
  );

  const over = new AbortController();
  const loops = [
    keepClaiming(control, over.signal, stopping),
    every(probeEveryMs, over.signal, () => probeClock(control), control),
    every(tickEveryMs, over.signal, ticker(control), control),
    every(watchEveryMs, over.signal, () => watch(control, watchAudio), control),
    every(sourcesEveryMs, over.signal, () => watch(control, watchSources), control),
  ];
  try {
    await adoptCalls(control);
    await Promise.race([node.gone, aborted(stopping)]);
  } finally {
    over.abort();
    await Promise.all(loops);
    await noteFull(db, lease).catch(() => undefined);
    await Promise.race([settled(control, () => isOver), sleep(deps.graceMs, undefined, { ref: false })]);
    isOver = true;
    node.disconnect();
    await noteGone(db, lease).catch(() => undefined);
    log.info({ node: node.name, epoch: lease.epoch }, 'media node disconnected');
  }
}

/**
 * Completes work before the lease is given up: writes the pending events, unless another process already holds the
 * lease, and sends the pending routing decisions, which the next lease holder does not receive.
 */
async function settled({ calls, pendingLegs }: Control, isOver: () => boolean): Promise<void> {
  do {
    await calls.idle();
    if (pendingLegs.size > 0) await sleep(settlePauseMs);
  } while (pendingLegs.size > 0 && !isOver());
  await calls.idle();
}

/** Nodes that miss a clock probe receive no new calls, so that no phone rings late. */
const responds = (control: Control): boolean => msSinceLastProbe(control) <= maxProbeDelayMs;

const msSinceLastProbe = ({ probeSentAt, deps }: Control): number =>
  probeSentAt === null ? 0 : deps.clock.now().getTime() - probeSentAt;

async function probeClock(control: Control): Promise<void> {
  await readClock(control).catch(() => undefined);
  if (msSinceLastProbe(control) > maxSilenceMs) control.node.disconnect();
}

/**
 * Returns the work of one tick, once per second while the node responds: checks the lease, renews funding and
 * reconciles.
 */
function ticker(control: Control): () => Promise<void> {
  let ticks = 0;
  return async () => {
    ticks += 1;
    if (!responds(control)) return control.noteDoubt();
    const { deps, lease } = control;
    const skewMs = Math.round(control.clock.skewMs());
    deps.onSkew(lease.node, skewMs);
    const msAgo = deps.clock.now().getTime() - control.seenAt.getTime();
    const seen = { at: control.seenAt, msAgo, skewMs, freeSlots: control.freeSlots() };
    const status = await noteSeen(deps.db, lease, seen);
    if (!status) {
      deps.log.warn({ node: lease.node, epoch: lease.epoch }, 'media node lease taken by another process');
      deps.observer.leaseChanged('lost');
      return control.node.disconnect();
    }
    control.recordsCompleteAt = status.recordsCompleteAt;
    renewCalls(control);
    await applyTrunks(control);
    await testTrunks(control);
    if (ticks % reconcileEveryTicks === 0) await reconcileIfDue(control);
  };
}

/** Reads the audio of calls, unless the node does not respond. */
async function watch(control: Control, read: (control: Control) => Promise<void>): Promise<void> {
  if (responds(control)) await read(control);
}

/** Repeats the work at an interval, never concurrently. Failures are logged and retried. */
async function every(
  pauseMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  { deps, lease }: Control,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch((err: unknown) =>
      deps.log.warn({ err, node: lease.node }, 'call control failed; retrying'),
    );
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
