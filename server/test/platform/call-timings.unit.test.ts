import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  destinationRingSeconds,
  dialDestinationWithinSeconds,
  edgeHeartbeatSeconds,
  edgeRingSeconds,
  extensionRingSeconds,
  incomingLegDeadlineSeconds,
  lostNodeSeconds,
  nodeHeardWithinSeconds,
  nodeResponseSeconds,
  reconnectingNodeSeconds,
  routingDecisionWaitSeconds,
  routingRequestMaxAgeSeconds,
  silentEdgeSeconds,
  silentNodeSeconds,
} from '../../src/platform/call-timings.ts';

/** Returns the numbers that the groups of a pattern capture in a file of the repository, in order of appearance. */
function numbersIn(path: string, pattern: RegExp): number[] {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  return [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.map(Number));
}

test('the edge waits as long for nodes and other edges as call-timings.ts says', () => {
  const timeouts = [edgeRingSeconds * 1000, nodeResponseSeconds * 1000];
  const pattern = /t_set_fr\((\d+), (\d+)\)/g;
  expect(numbersIn('deploy/kamailio/calls.cfg', pattern)).toEqual(timeouts);
  expect(numbersIn('deploy/kamailio/dialogs.cfg', pattern)).toEqual(timeouts);
  expect(numbersIn('deploy/kamailio/modules.cfg.in', /"fr_inv_timer", (\d+)/g)).toEqual([
    edgeRingSeconds * 1000,
  ]);
});

test('the edge and the dialplan give incoming legs the deadline of call-timings.ts', () => {
  expect(numbersIn('deploy/kamailio/calls.cfg', /\$TS \+ (\d+);/g)).toEqual([incomingLegDeadlineSeconds]);
  expect(numbersIn('deploy/asterisk/extensions.conf', /DEADLINE=\$\[\$\{EPOCH\}\+(\d+)\]/g)).toEqual([
    incomingLegDeadlineSeconds,
  ]);
  expect(numbersIn('deploy/asterisk/extensions.conf', /\$\{EPOCH\}\+(\d+)>=\$\{DEADLINE\}/g)).toEqual([
    incomingLegDeadlineSeconds - nodeResponseSeconds,
  ]);
});

test('the dialplan waits for the routing decision as long as call-timings.ts says', () => {
  expect(numbersIn('deploy/asterisk/extensions.conf', /WaitForCondition\(.*,([\d.]+),[\d.]+\)$/gm)).toEqual([
    routingDecisionWaitSeconds,
  ]);
});

test('the dialplan dials destinations only within the time of call-timings.ts', () => {
  expect(numbersIn('deploy/asterisk/extensions.conf', /\$\{CDR\(start,u\)\}>(\d+)\]/g)).toEqual([
    dialDestinationWithinSeconds,
  ]);
});

test('SQL considers nodes and edges silent after the times of call-timings.ts', () => {
  const interval = /interval '(\d+) seconds'/g;
  expect(numbersIn('server/sql/edge/trusted_peers.sql', interval)).toEqual([
    nodeHeardWithinSeconds,
    reconnectingNodeSeconds,
  ]);
  expect(numbersIn('server/sql/platform/service_state.sql', interval)).toEqual([
    silentEdgeSeconds,
    nodeHeardWithinSeconds,
  ]);
});

test('edges send heartbeats at the interval of call-timings.ts', () => {
  expect(numbersIn('deploy/containers/bin/start-edge', /PEERS_SECONDS:-(\d+)/g)).toEqual([
    edgeHeartbeatSeconds,
  ]);
  expect(numbersIn('tools/dev/voice/edge-values.ts', /PEERS_SECONDS: (\d+)/g)).toEqual([
    edgeHeartbeatSeconds,
  ]);
  expect(numbersIn('deploy/kamailio/README.md', /`PEERS_SECONDS` \|.*\| (\d+) \|/g)).toEqual([
    edgeHeartbeatSeconds,
  ]);
});

test('a routing decision is made before the dialplan stops waiting, and before the deadline', () => {
  expect(routingRequestMaxAgeSeconds).toBeLessThan(routingDecisionWaitSeconds);
  expect(routingDecisionWaitSeconds).toBeLessThan(incomingLegDeadlineSeconds);
  expect(nodeResponseSeconds).toBeLessThan(incomingLegDeadlineSeconds);
});

test('a call that was ended because its node is lost is never dialled', () => {
  expect(extensionRingSeconds).toBeLessThan(dialDestinationWithinSeconds);
  expect(dialDestinationWithinSeconds).toBeLessThan(silentNodeSeconds + lostNodeSeconds);
});

test('the media node ends an unanswered call before the edge does', () => {
  expect(Math.max(extensionRingSeconds, destinationRingSeconds)).toBeLessThan(edgeRingSeconds);
});
