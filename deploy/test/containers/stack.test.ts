import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContainerEngine } from '../../../tools/dev/containers/engine.ts';
import { imageTag } from '../../../tools/dev/containers/images.ts';
import { writeSbom } from '../../../tools/dev/containers/sbom.ts';
import { type ComposedStack, layOutStack } from '../../../tools/dev/containers/stack.ts';
import { buildTrialImages, startEngineWithBases, versions } from '../../../tools/dev/containers/trial.ts';
import { until } from '../../../tools/dev/demo/api-client.ts';
import { inDev } from '../../../tools/dev/paths.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { capture } from '../../../tools/dev/run-command.ts';
import { type Company, foundCompany } from './company.ts';
import { documentedPorts, documentedRule } from './documented.ts';
import { type FoundPort, type OpenPort, type Outside, openOutside } from './outside.ts';

const parts = [
  'api',
  'worker',
  'voice',
  'edge',
  'media',
  'shipper',
  'relay',
  'postgres',
  'redis',
  'simulator',
  'mailbox',
];
/** Services without a health check, which count as healthy while they run. */
const withoutHealth = ['mailbox'];
const mainPartOf = {
  server: 'fastify',
  edge: 'kamailio',
  media: 'asterisk',
  relay: 'coturn',
  postgres: 'postgresql-15',
  redis: 'redis-server',
};
const buildTimeoutMs = 1_200_000;
const talkMs = 10_000;

let engine: ContainerEngine;
let outside: Outside;
let stack: ComposedStack;
let company: Company;

beforeAll(async () => {
  engine = await startEngineWithBases();
  const { upgradesFrom } = await buildTrialImages(engine);
  process.stdout.write(`Testing upgrades from ${upgradesFrom}.\n`);
  outside = await openOutside();
  stack = await layOutStack(engine, versions.old, outside.address);
}, buildTimeoutMs);

afterAll(async () => {
  await company?.stop();
  await stack?.down();
  await outside?.close();
  await engine?.stop();
}, 300_000);

const idOf = (part: string): Promise<string> =>
  engine.must(['ps', '--all', '--quiet', '--filter', `label=com.docker.compose.service=${part}`]);

async function stateOf(part: string): Promise<string> {
  const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}';
  const id = await idOf(part);
  return id === '' ? 'missing' : await engine.must(['inspect', '--format', format, id]);
}

const becomes = (part: string, state: string): Promise<string> =>
  until(`${part} is ${state}`, 300, async () => ((await stateOf(part)) === state ? state : undefined));

it('a wrong database password stops the start, and compose reports it', async () => {
  const file = join(stack.folder, 'secrets/database_owner_url');
  const right = readFileSync(file, 'utf8');
  rmSync(file);
  writeFileSync(file, right.replace(/:[^:@]+@/, ':wrong@'), { mode: 0o444 });
  const failed = await stack.compose('up', '-d');
  expect(failed.exitCode).not.toBe(0);
  // The messages of both Compose versions.
  expect(failed.output).toMatch(/ERROR: for \w+|service "prepare" didn't complete successfully/);
  expect((await stack.compose('logs', 'prepare')).output).toContain('password authentication failed');
  expect(await stateOf('api')).toBe('missing');
  rmSync(file);
  writeFileSync(file, right, { mode: 0o444 });
});

it('every service becomes healthy', async () => {
  const started = await stack.compose('up', '-d');
  expect(started.output).not.toContain('ERROR');
  expect(started.exitCode).toBe(0);
  for (const part of parts) await becomes(part, withoutHealth.includes(part) ? 'running' : 'healthy');
});

it.each(parts)('%s runs unprivileged and read-only, and listens on loopback only', async (part) => {
  const [container] = JSON.parse(await engine.must(['inspect', await idOf(part)])) as [
    {
      Config: { User: string };
      HostConfig: {
        ReadonlyRootfs: boolean;
        CapDrop: string[];
        SecurityOpt: string[];
        Privileged: boolean;
        PortBindings: Record<string, { HostIp: string }[]>;
      };
    },
  ];
  expect(container.Config.User).toBe('10001:10001');
  expect(container.HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false });
  expect(container.HostConfig.SecurityOpt).toContain('no-new-privileges:true');
  const bindings = Object.values(container.HostConfig.PortBindings ?? {}).flat();
  expect(bindings.every(({ HostIp }) => HostIp === '127.0.0.1')).toBe(true);
});

/** Returns the secret part of every secret: the password of a URL, one line of a key. */
function secretsOf(folder: string): string[] {
  const open = ['certificate', 'smtp_url', 'mailbox_url'];
  return readdirSync(folder)
    .filter((name) => !open.includes(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .map((text) => /^\w+:\/\/[^:]*:([^@]+)@/.exec(text)?.[1] ?? text.split('\n')[1] ?? text);
}

it('no secret appears in the settings, process list or log of a container', async () => {
  const secrets = secretsOf(join(stack.folder, 'secrets'));
  expect(secrets.length).toBeGreaterThan(10);
  for (const part of parts) {
    const id = await idOf(part);
    const exposed = [
      await engine.must(['inspect', id]),
      await engine.must(['top', id, '-eo', 'pid,args']),
      await engine.must(['logs', id]),
    ].join('\n');
    expect(secrets.filter((secret) => exposed.includes(secret))).toEqual([]);
  }
});

it('an upgrade from the previous release replaces every service and ends no call', async () => {
  const script = `disca trunk add simulator --mode test --address ${stack.carrier} --caller-id 551130000000
    disca rates import deploy/rates/example-brazil.csv --from 2020-01-01`;
  const added = await stack.compose('run', '--rm', '-T', '--entrypoint', 'sh', 'disca', '-ec', script);
  expect(added.exitCode, added.output).toBe(0);
  company = await foundCompany(stack);
  const simulator = await stack.simulator();
  // Talks until one side hangs up.
  const [first, second] = [await company.place('5511999990016'), await company.place('5511999990016')];
  for (const id of [first, second]) await company.awaitEvents(id, 'channel-answer');

  stack.set('DISCA_VERSION', versions.new);
  const upgrading = stack.run('upgrade', '--wait', '120');
  const edgeIs = (): Promise<string> =>
    engine.must(['ps', '--filter', 'name=_edge_', '--format', '{{.Image}} {{.Status}}']);
  await until('everything except the media node is replaced', 300, async () =>
    /:trial .*\(healthy\)/.test(await edgeIs()) ? true : undefined,
  );
  expect(simulator.carrierCalls().filter(({ endedAtMs }) => endedAtMs !== undefined)).toEqual([]);
  await simulator.hangUpCarrier(first);
  await simulator.hangUpPhone(second);
  const upgraded = await upgrading;
  expect(upgraded.output).toContain('Upgraded.');
  expect(upgraded.exitCode).toBe(0);

  for (const [id, endedBy] of [
    [first, 'destination'],
    [second, 'extension'],
  ] as const) {
    await company.awaitEvents(id, 'channel-hangup');
    const call = await company.call(id);
    expect(call).toMatchObject({ status: 'ended', hangup_cause: 'NORMAL_CLEARING', ended_by: endedBy });
    const seen = simulator.carrierCalls().find(({ callId }) => callId === id);
    const talkedMs = (seen?.endedAtMs ?? 0) - (seen?.answeredAtMs ?? 0);
    expect(Math.abs(Number(call.duration) - talkedMs / 1_000)).toBeLessThan(2);
  }
  const images = await engine.must(['ps', '--format', '{{.Image}}']);
  const replaced = images.split('\n').filter((image) => /server|edge|media|relay/.test(image));
  expect(replaced).toHaveLength(7);
  expect(replaced.every((image) => image.endsWith(`:${versions.new}`))).toBe(true);
});

it('a call through the composed services is recorded, priced and delivered', async () => {
  await company.untilRegistered();
  // Talks until one side hangs up.
  const id = await company.place('5511999990016');
  await company.awaitEvents(id, 'channel-answer');
  await setTimeout(talkMs);
  await (await stack.simulator()).hangUpCarrier(id);
  expect(await company.awaitEvents(id, 'recording-ready')).toEqual(
    expect.arrayContaining(['channel-answer', 'channel-hangup', 'recording-ready']),
  );
  const call = await company.call(id);
  expect(call).toMatchObject({ status: 'ended', hangup_cause: 'NORMAL_CLEARING', ended_by: 'destination' });
  expect(Number(call.call_price)).toBeGreaterThan(0);
  const recording = await fetch(String(call.record_url));
  expect(recording.status).toBe(200);
  // At least four seconds of 8 kHz audio with 16 bits: the simulated parties send less than they talk on a busy machine.
  expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(4 * 16_000);
});

it('after the upgrade HA1s are stored only encrypted, and the edge has their key', async () => {
  const status = await until('HA1s are encrypted', 300, async () => {
    const { output } = await stack.compose('run', '--rm', '-T', 'disca', 'keys', 'status');
    return /^HA1s +[1-9]\d* with k1, 0 unencrypted/m.test(output) ? output : undefined;
  });
  expect(status).toMatch(/^recordings +0 unencrypted/m);
  expect(status).toMatch(/^keys of edge 1 +k1/m);
});

const inOrder = (ports: OpenPort[]): OpenPort[] =>
  ports
    .map(({ protocol, port }) => ({ protocol, port }))
    .toSorted((one, other) => one.protocol.localeCompare(other.protocol) || one.port - other.port);

/** Returns whether this is the socket with which Asterisk queries DNS servers, on a port that the kernel chose. */
const isDnsSocket = ({ protocol, port, programs }: FoundPort): boolean =>
  protocol === 'udp' &&
  port >= 32_768 &&
  programs.length > 0 &&
  programs.every((name) => name === 'asterisk');

it('from another network, exactly the documented ports are open, and a planted one is found', async () => {
  const documented = documentedPorts();
  expect(documented.length).toBeGreaterThan(7);
  const found = [
    ...(await outside.scanInstallation(engine, 'tcp')),
    ...(await outside.scanInstallation(engine, 'udp')),
  ];
  expect(inOrder(found.filter((each) => !isDnsSocket(each)))).toEqual(inOrder(documented));
  // Of the media node and of the simulator.
  expect(found.filter(isDnsSocket).length).toBeLessThanOrEqual(2);

  const planted = await freePort();
  const listening = `require('node:net').createServer().listen(3000)`;
  const options = ['--rm', '--detach', '--publish', `${planted}:3000`];
  const image = imageTag('server', versions.new);
  const container = await engine.must(['run', ...options, image, 'node', '--eval', listening]);
  await until('the planted port is found', 30, async () => {
    const open = await outside.scanInstallation(engine, 'tcp');
    return open.some(({ port }) => port === planted) ? true : undefined;
  });
  await engine.must(['kill', container]);
});

it('with the documented rule, the addresses of containers accept no connections from outside', async () => {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const addresses = await Promise.all(
    ['api', 'worker', 'voice', 'postgres', 'redis', 'shipper', 'mailbox'].map(async (part) =>
      engine.must(['inspect', '--format', format, await idOf(part)]),
    ),
  );
  const ports = [3000, 8390, 9400, 5432, 6379, 2525, 8025];
  const findOpen = async (): Promise<string[]> => {
    const open = await Promise.all(addresses.map((address) => outside.scan(address, ports)));
    return open.flatMap((found, index) => found.map((port) => `${addresses[index]}:${port}`));
  };
  await outside.routeTo(stack.inside);
  expect(await findOpen()).toContain(`${addresses[0]}:3000`);
  const { exitCode, output } = await capture('sh', ['-c', documentedRule(stack.inside)]);
  expect(exitCode, output).toBe(0);
  expect(await findOpen()).toEqual([]);
  // The services still reach each other.
  expect((await fetch(`${stack.apiUrl}/api/v1/openapi.json`)).status).toBe(200);
  for (const part of ['api', 'worker', 'voice', 'shipper']) await becomes(part, 'healthy');
});

it('the composed installation is backed up with its WAL, and the backup is complete', async () => {
  const script = 'disca backup && disca backup list --json && disca backup verify';
  const done = await stack.compose('run', '--rm', '-T', '--entrypoint', 'sh', 'disca', '-ec', script);
  expect(done.exitCode, done.output).toBe(0);
  expect(done.output).toContain('All backups are complete: 1.');
  expect(done.output).toContain('"missing": null');
});

it.each(['server', 'edge', 'media', 'relay', 'postgres', 'redis'] as const)(
  'the SBOM of %s lists all components with version and licence',
  async (name) => {
    const { components } = await writeSbom(engine, name, versions.new, inDev('containers', 'sbom'));
    expect(components.length).toBeGreaterThan(50);
    const incomplete = components.filter((each) => !each.version || !each.purl || each.licenses.length === 0);
    expect(incomplete.map((each) => each.name)).toEqual([]);
    expect(components.map((each) => each.name)).toContain(mainPartOf[name]);
  },
);

it('the console, the manual and their licences are served', async () => {
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/manual/', 'text/html'],
    ['/manual/pt-BR/', 'text/html'],
    ['/assets/third-party.txt', 'text/plain'],
  ] as const) {
    const page = await fetch(`${stack.apiUrl}${path}`, { headers: { accept: type } });
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.headers.get('content-type')).toContain(type);
  }
});

it('api, worker and voice are unhealthy while the database is down, and recover', async () => {
  const postgres = await idOf('postgres');
  await engine.must(['pause', postgres]);
  for (const part of ['api', 'worker', 'voice']) await becomes(part, 'unhealthy');
  expect((await stack.compose('ps')).output).toMatch(/_api_.*unhealthy/);
  await engine.must(['unpause', postgres]);
  for (const part of ['api', 'worker', 'voice']) await becomes(part, 'healthy');
});
