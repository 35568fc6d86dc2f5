import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../../../../tools/dev/paths.ts';
import { buildSettings } from '../../harness/deployments/chaos.ts';
import {
  type ManyNodesDeployment,
  startManyNodes,
  untilControlled,
} from '../../harness/deployments/many-nodes.ts';
import { kamcmd } from '../../harness/edge/edge.ts';
import { until } from '../../harness/until.ts';
import { freeze } from '../faults/freeze.ts';
import { startDialling } from './dial-calls.ts';
import { drain } from './engine-restarts.ts';
import { addCustomer, addLine, type Customer, type Line, untilRegistered } from './line.ts';
import { callsByNode, checkLoss, detectionMs, nothingIsLeft } from './loss.ts';
import { numberEnding, placeCall, startCalling } from './place-calls.ts';

const rate = 5;
const talkSeconds = 3;
/** A node that hangs for longer than this also loses its connection. */
const frozenMs = 12_000;

let deployment: ManyNodesDeployment;
let customer: Customer;
/** Lines whose softphones hang up after a few seconds. */
let lines: Line[];

beforeAll(async () => {
  deployment = await startManyNodes();
  customer = await addCustomer(deployment);
  lines = [];
  for (let number = 0; number < 10; number += 1) {
    lines.push(
      await addLine(deployment, customer, number % 2 === 0 ? 1 : 2, { hangUpAfterSeconds: talkSeconds }),
    );
  }
  await untilRegistered(lines, deployment);
});
afterAll(() => deployment?.stop());

/** Runs the CLI as an operator does. */
async function disca(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    ...buildSettings(deployment.dir, deployment.serviceUrl, 'redis://127.0.0.1:1'),
    DATABASE_OPERATOR_URL: deployment.operatorUrl,
  };
  const { stdout } = await promisify(execFile)(join(root, 'disca'), args, { env });
  return stdout;
}

const readCall = async (id: string) => (await customer.ask('GET', `/calls/${id}`)).json;

test('a drained node gets no new calls, keeps its live ones, and is listed as empty at the end', async () => {
  const line = await addLine(deployment, customer, 1);
  await untilRegistered([line], deployment);
  const talking: string[] = [];
  const onFirst = await until(async () => {
    talking.push((await placeCall(line)).id ?? '');
    await sleep(300);
    return [...(await callsByNode(deployment))].find(([, node]) => node === 'm1')?.[0];
  }, 'the first node has a call');
  await until(async () => (await readCall(onFirst)).status === 'answered', 'it is answered');

  expect(await disca('node', 'drain', 'm1')).toContain('m1 receives no new calls');
  expect(await disca('node', 'list')).toMatch(/^m1 .* draining .* [1-9]\d* calls/m);
  const before = await callsByNode(deployment);
  const calling = startCalling(lines, rate);
  const dialled = await Promise.all(lines.slice(0, 4).map(({ phone }) => phone.dial(numberEnding('97'))));
  await Promise.all(dialled.map((call) => call.answered()));
  await sleep(2_000);
  const placed = await calling.stop();
  const taken = [...(await callsByNode(deployment))].filter(([id]) => !before.has(id));
  expect(taken.length).toBeGreaterThan(dialled.length);
  expect(new Set(taken.map(([, node]) => node))).toEqual(new Set(['m2']));
  expect((await readCall(onFirst)).status).toBe('answered');

  for (const id of talking) await deployment.engines.simulator.hangUpPhone(id);
  for (const call of dialled) await call.hangUp();
  await nothingIsLeft(deployment);
  expect(await disca('node', 'list')).toMatch(/^m1 .* drained .* 0 calls/m);
  for (const id of [...talking, ...placed.map((call) => call.id ?? '')]) {
    expect((await readCall(id)).hangup_cause).toBe('NORMAL_CLEARING');
  }
  await disca('node', 'undrain', 'm1');
  await until(async () => {
    await Promise.all(lines.slice(0, 4).map((each) => placeCall(each)));
    await sleep(200);
    return [...(await callsByNode(deployment)).values()].includes('m1');
  }, 'the first node gets calls again');
  await nothingIsLeft(deployment);
});

test('softphones that dial while nodes are drained in rotation reach the other node', async () => {
  const dialling = startDialling(lines, 2);
  for (const { name, sipAddress } of deployment.nodes) {
    await drain(deployment, name, true);
    await until(() => edgesSendingTo(sipAddress).every((gives) => !gives), `no edge sends calls to ${name}`);
    await sleep(3_000);
    await drain(deployment, name, false);
    await until(
      () => edgesSendingTo(sipAddress).every((gives) => gives),
      `both edges send calls to ${name} again`,
    );
  }
  const dialled = await dialling.stop();
  expect(dialled.length).toBeGreaterThan(10);
  expect(dialled.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  await nothingIsLeft(deployment);
});

/**
 * Returns which edges send calls to this node: each lists it once as trusted, and a second time if it receives calls.
 */
const edgesSendingTo = (sipAddress: string): boolean[] =>
  deployment.engines.edges.map(({ engine }) => {
    const dispatchers = kamcmd(join(engine.dir, 'run/control.sock'), ['dispatcher.list']);
    return dispatchers.split(`sip:${sipAddress}`).length - 1 === 2;
  });

test('soon after a node is killed no new call fails, and its calls end at the time they were last seen', async () => {
  const calling = startCalling(lines, rate);
  await sleep(4_000);
  const callsThen = await callsByNode(deployment);
  const killedAtMs = Date.now();
  await deployment.nodes[0].engine.stop('kill');
  await sleep(detectionMs);
  const dialling = startDialling(lines, 1);
  await sleep(3_000);
  const dialled = await dialling.stop();
  await deployment.nodes[0].engine.restart('kill');
  await untilControlled(deployment.query);
  const placed = await calling.stop();
  expect(dialled.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  await nothingIsLeft(deployment);
  const { failed, afterDetection } = await checkLoss(deployment, placed, {
    node: 'm1',
    atMs: killedAtMs,
    callsThen,
  });
  expect(failed.length).toBeGreaterThan(0);
  expect(afterDetection).toBeGreaterThan(10);
  // A call requested before the loss was detected cannot have ended before it started.
  const answeredAtMs = new Map(placed.map(({ id, askedAtMs, tookMs }) => [id, askedAtMs + tookMs]));
  for (const { id, endedAtMs } of failed)
    expect(endedAtMs).toBeLessThanOrEqual(Math.max(killedAtMs + 100, answeredAtMs.get(id) ?? 0));
});

test('soon after a node hangs no new call fails, and when it resumes it dials no ended call', async () => {
  const calling = startCalling(lines, rate);
  await sleep(4_000);
  const callsThen = await callsByNode(deployment);
  const wake = freeze(deployment.nodes[1].engine.pid);
  const frozenAtMs = Date.now();
  onTestFinished(wake);
  await sleep(detectionMs);
  const dialling = startDialling(lines, 1);
  await sleep(3_000);
  const dialled = await dialling.stop();
  await sleep(frozenMs - (Date.now() - frozenAtMs));
  const [last] = await deployment.query(`select max(claimed_at) as at from live_calls where node = 'm2'`);
  wake();
  await untilControlled(deployment.query);
  const placed = await calling.stop();
  // The node was assigned no more calls after it froze.
  expect(last?.at.getTime() - frozenAtMs).toBeLessThan(detectionMs);
  expect(dialled.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  await nothingIsLeft(deployment);
  const { afterDetection } = await checkLoss(deployment, placed, { node: 'm2', atMs: frozenAtMs, callsThen });
  expect(afterDetection).toBeGreaterThan(30);
});

test('a voice process that hangs loses its node leases to the other one, and detects it when it resumes', async () => {
  const voices = deployment.programs.filter(({ name }) => name.startsWith('voice'));
  const commanded = await Promise.all(voices.map(({ opsPort }) => countOwnedNodes(opsPort)));
  const hanging = voices[commanded.findIndex((count) => count > 0)];
  if (!hanging) throw new Error('No voice process holds a node lease.');
  const wake = freeze(hanging.pid);
  onTestFinished(wake);
  await sleep(3_000);
  await untilControlled(deployment.query);
  const placed = await Promise.all(lines.slice(0, 4).map((line) => placeCall(line)));
  wake();
  await nothingIsLeft(deployment);
  for (const { id = '' } of placed) expect((await readCall(id)).hangup_cause).toBe('NORMAL_CLEARING');
  await untilControlled(deployment.query);
});

/** Returns how many media node leases a voice process reports to hold. */
async function countOwnedNodes(opsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  return Number(/^disca_media_nodes(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
}
