import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOtherEngine } from '../containers/other-engine.ts';

let folder: string;
let places: { processes: string; links: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-engines-'));
  places = { processes: join(folder, 'proc'), links: join(folder, 'net') };
  for (const [pid, command] of [
    ['7', 'init'],
    ['41', '/usr/sbin/dockerd\0--host'],
  ] as const) {
    mkdirSync(join(places.processes, pid), { recursive: true });
    writeFileSync(join(places.processes, pid, 'cmdline'), `${command}\0`);
  }
  mkdirSync(join(places.processes, 'net'));
  mkdirSync(join(places.links, 'lo'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

it('detects an engine run by another user', () => {
  expect(describeOtherEngine(places)).toBe('another container engine runs here (pid 41)');
});

it('ignores a zombie engine process', () => {
  writeFileSync(join(places.processes, '41', 'cmdline'), '');
  expect(describeOtherEngine(places)).toBeUndefined();
});

it('ignores our own engine', () => {
  mkdirSync(join(places.links, 'docker0'));
  expect(describeOtherEngine({ ...places, ownPid: 41 })).toBeUndefined();
});

it('detects a bridge that cannot be ours', () => {
  rmSync(join(places.processes, '41'), { recursive: true });
  expect(describeOtherEngine(places)).toBeUndefined();
  mkdirSync(join(places.links, 'docker0'));
  expect(describeOtherEngine(places)).toContain('docker0 exists');
  expect(describeOtherEngine({ ...places, mayBeOurs: true })).toBeUndefined();
});
