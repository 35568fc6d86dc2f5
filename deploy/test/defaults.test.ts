import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../tools/dev/paths.ts';
import { usualLimits } from '../../tools/dev/voice/edge-values.ts';
import { type ComposeConfiguration, exampleSettings, renderCompose } from './compose-files.ts';

const simulated = ['simulator', 'mailbox', 'phone'];
const withSimulator = { ...exampleSettings(), COMPOSE_FILE: 'compose.yml:compose.simulator.yml' };
const compose = 'docker-compose';
const hasCompose = spawnSync(compose, ['--version']).status === 0;

it('the example settings start neither the simulator nor the mailbox', () => {
  const { services, secrets } = renderCompose(exampleSettings());
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['api', 'worker', 'media', 'postgres']));
  expect(Object.keys(services).filter((name) => simulated.includes(name))).toEqual([]);
  expect(JSON.stringify({ services, secrets })).not.toMatch(/mailbox|simulator/);
});

it('the example settings accept no calls from this machine as calls from a carrier', () => {
  const { services } = renderCompose(exampleSettings());
  // A network reserved for documentation, which has no machines (RFC 5737).
  expect(services.media?.environment?.CARRIER_NETWORKS).toBe('198.51.100.0/28');
});

it('the example settings publish ports on loopback only', () => {
  const { services } = renderCompose(exampleSettings());
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports.length).toBeGreaterThan(2);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

it('the example settings send mail over TLS only', () => {
  const { services } = renderCompose(exampleSettings());
  for (const name of ['worker', 'disca']) expect(services[name]?.environment?.SMTP_TLS).toBe('required');
});

it('with the simulator, mail goes to the mailbox, and only this machine can open its page', () => {
  const settings = {
    ...withSimulator,
    PRIVATE_BIND_ADDRESS: '10.0.0.1',
    CARRIER_NETWORKS: '198.51.100.0/28',
  };
  const { services, secrets } = renderCompose(settings);
  expect(Object.keys(services)).toEqual(expect.arrayContaining(simulated));
  expect(services.mailbox?.ports).toEqual(['127.0.0.1:8025:8025']);
  expect(secrets.smtp_url?.file).toBe('./secrets/mailbox_url');
  for (const name of ['worker', 'disca']) expect(services[name]?.environment?.SMTP_TLS).toBe('optional');
  expect(services.media?.environment?.CARRIER_NETWORKS).toBe('198.51.100.0/28,127.0.0.5/32');
});

it('CALL-62 SIP of carriers can leave the address of audio', () => {
  const apart = { CARRIER_SIP: '192.0.2.11:5060', CARRIER_TLS: '192.0.2.11:5061' };
  const { services } = renderCompose({ ...exampleSettings(), ...apart });
  expect(services.media?.environment).toMatchObject({ ...apart, SIP_ADDRESS: '192.0.2.10' });
  const usual = renderCompose(exampleSettings()).services.media?.environment;
  expect(usual).toMatchObject({ CARRIER_SIP: '', CARRIER_TLS: '' });
});

it('EXT-30 an edge accepts 100 connections per address, and closes those without a login after 20 s', () => {
  const script = readFileSync(join(root, 'deploy/containers/bin/start-edge'), 'utf8');
  const defaults = Object.fromEntries(
    [...script.matchAll(/\b([A-Z_]+)="\$\{\1:-(\d+)\}"/g)].map(([, name, value]) => [name, Number(value)]),
  );
  expect(defaults).toMatchObject({ MAX_TCP_CONNECTIONS_PER_ADDRESS: 100, UNREGISTERED_SECONDS: 20 });
  expect(defaults).toEqual(usualLimits);
});

it('every service has a limit of processes and of memory', () => {
  const { services } = renderCompose(withSimulator);
  const unlimited = Object.entries(services).filter(
    ([, { mem_limit: memory, pids_limit: processes }]) =>
      !/^\d+[mg]$/.test(String(memory)) || !(Number(processes) > 0),
  );
  expect(Object.keys(services).length).toBeGreaterThan(12);
  expect(unlimited.map(([name]) => name)).toEqual([]);
});

it('a media node may use as many threads as its file descriptors allow calls', () => {
  const { services } = renderCompose(exampleSettings());
  const { ulimits, pids_limit: threads } = services.media as unknown as {
    ulimits: { nofile: { soft: string } };
    pids_limit: number;
  };
  expect(threads).toBeGreaterThanOrEqual(Number(ulimits.nofile.soft));
});

if (hasCompose) {
  it.each([exampleSettings(), withSimulator])(
    'Compose reads the files of $COMPOSE_FILE as these tests do',
    (settings) => {
      const folder = mkdtempSync(join(tmpdir(), 'disca-compose-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      cpSync(join(root, 'deploy/compose'), folder, { recursive: true });
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(join(folder, '.env'), lines.join(''));
      const { stdout, stderr } = spawnSync(compose, ['--profile', 'tools', 'config'], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
      expect(stderr).toBe('');
      const theirs = parse(stdout) as ComposeConfiguration;
      const ours = renderCompose(settings);
      const essence = ({ services }: ComposeConfiguration) =>
        Object.fromEntries(
          Object.entries(services).map(
            ([name, { environment = {}, image, pids_limit: processes, mem_limit: memory }]) => [
              name,
              {
                image,
                memory,
                processes,
                environment: Object.fromEntries(
                  Object.entries(environment).map(([key, value]) => [key, String(value)]),
                ),
              },
            ],
          ),
        );
      expect(essence(theirs)).toEqual(essence(ours));
      expect(Object.keys(theirs.secrets).toSorted()).toEqual(Object.keys(ours.secrets).toSorted());
    },
  );
} else process.stdout.write('  not run  defaults: docker-compose is not installed\n');
