import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/dev/paths.ts';
import { rtpPorts } from '../../tools/dev/voice/media-node.ts';

const units = globSync(join(root, 'deploy/systemd/*.{service,target}')).sort();
const services = units.filter((unit) => unit.endsWith('.service'));
const analyze = 'systemd-analyze';
const hasSystemd = spawnSync(analyze, ['--version']).status === 0;
const highestExposure = 2;

/** Messages to ignore: programs and manual pages of an installation are missing on this machine. */
const ofAnInstallation = /is not executable|No such file or directory|Failed to (?:open|check)/;

if (hasSystemd) {
  it.each(units)('systemd accepts %s', (unit) => {
    const { stderr } = spawnSync(analyze, ['verify', '--man=no', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line !== '' && !ofAnInstallation.test(line))).toEqual([]);
  });

  it.each(services)('%s has a low exposure score', (unit) => {
    const args = ['security', '--offline=true', '--no-pager', unit];
    const { stdout } = spawnSync(analyze, args, { encoding: 'utf8' });
    const level = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
    expect(level).toBeLessThan(highestExposure);
  });
} else process.stdout.write('  not run  units: systemd is not installed\n');

it.each(services)('%s reads its secrets from files', (unit) => {
  const text = readFileSync(unit, 'utf8');
  const loaded = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name ?? '');
  const used = [...text.matchAll(/_FILE=%d\/(\w+)/g)].map(([, name]) => name ?? '');
  expect(used.sort()).toEqual(loaded.sort());
  expect(loaded.length).toBeGreaterThan(0);
});

it.each(services)('%s has a limit of processes and of memory', (unit) => {
  const text = readFileSync(unit, 'utf8');
  expect(text).toMatch(/^TasksMax=\d+$/m);
  expect(text).toMatch(/^MemoryMax=\d+G$/m);
});

it.each(services)('the settings of %s are in the repository', (unit) => {
  const [, file = ''] = /^EnvironmentFile=\/etc\/disca\/(\S+)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  expect(globSync('*.env', { cwd: join(root, 'deploy/systemd') }).map((name) => basename(name))).toContain(
    file,
  );
});

it('every program on a machine has its own health check port', () => {
  const programs = services.filter((unit) =>
    /server\/src\/main\/(?!prepare)\w+\.ts$/m.test(readFileSync(unit, 'utf8')),
  );
  const ports = programs.map((unit) => /^Environment=OPS_PORT=(\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1]);
  expect(programs.length).toBeGreaterThan(3);
  expect(ports).not.toContain(undefined);
  expect(new Set(ports).size).toBe(programs.length);
});

it('AUDIO-17 no range of media ports contains the port that browsers refuse', () => {
  const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');
  const defaults = [read('containers/bin/start-media'), read('compose/compose.yml')].map((text) => [
    Number(/RTP_FROM:-(\d+)/.exec(text)?.[1]),
    Number(/RTP_TO:-(\d+)/.exec(text)?.[1]),
  ]);
  const [, from, to] = /`RTP_TO` .*`(\d+)`, `(\d+)` \|$/m.exec(read('asterisk/README.md')) ?? [];
  const ranges = [...defaults, [Number(from), Number(to)], [rtpPorts.from, rtpPorts.to]];
  expect(ranges).toEqual(ranges.map(() => [10_100, 19_999]));
});

it.each([
  [10_000, 19_999, 10_082, 19_999],
  [10_080, 19_999, 10_082, 19_999],
  [10_081, 19_999, 10_081, 19_999],
  [8_000, 10_079, 8_000, 10_079],
  [8_000, 10_080, 8_000, 10_079],
])('AUDIO-17 a media container with the ports %d to %d uses %d to %d', (from, to, first, last) => {
  const script = readFileSync(join(root, 'deploy/containers/bin/start-media'), 'utf8');
  const range = script.slice(script.indexOf('if [ "$RTP_FROM"'), script.indexOf('mkdir -p'));
  const env = { RTP_FROM: String(from), RTP_TO: String(to) };
  const { stdout } = spawnSync('/bin/sh', ['-euc', `${range}echo "$RTP_FROM $RTP_TO"`], {
    env,
    encoding: 'utf8',
  });
  expect(stdout).toBe(`${first} ${last}\n`);
});

it('AUDIO-16 media nodes have priority over the other programs of their machine', () => {
  const nice = (unit: string): number => Number(/^Nice=(-?\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1] ?? 0);
  const preferred = services.filter((unit) => nice(unit) < 0).map((unit) => basename(unit));
  expect(preferred).toEqual(['disca-media.service']);
  const compose = readFileSync(join(root, 'deploy/compose/compose.yml'), 'utf8');
  expect(/^ {2}media:\n(?: {4}.*\n|\n)*? {4}cpu_shares: 10240$/m.test(compose)).toBe(true);
});
