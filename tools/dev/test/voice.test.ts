import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { debianArchive } from '../voice/apt-source.ts';
import { cachedAt, makeOnce } from '../voice/cache.ts';
import { chooseCell, edgeAddresses, mediaNodeAddress, simulatorAddress } from '../voice/cell.ts';
import { fillTemplate, renderFolder } from '../voice/render.ts';

const dir = mkdtempSync(join(tmpdir(), 'disca-voice-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('templates', () => {
  it('are filled with every value they use', () => {
    expect(fillTemplate('bind = @ADDRESS@:@PORT@', { ADDRESS: '127.0.0.1', PORT: 5060 })).toBe(
      'bind = 127.0.0.1:5060',
    );
    expect(fillTemplate('sip:probe@edge.example', {})).toBe('sip:probe@edge.example');
  });

  it('are rejected without a value, or with a value of several lines', () => {
    expect(() => fillTemplate('@SECRET@', {})).toThrow('SECRET');
    expect(() => fillTemplate('@SECRET@', { SECRET: 'a\nlive_dangerously = yes' })).toThrow('SECRET');
  });

  it('lose their extension; other files are copied unchanged', () => {
    const source = join(dir, 'templates');
    mkdirSync(source);
    writeFileSync(join(source, 'a.conf.in'), 'port = @PORT@');
    writeFileSync(join(source, 'b.conf'), '@PORT@ stays');
    renderFolder(source, join(dir, 'etc'), { PORT: 1 });
    expect(readFileSync(join(dir, 'etc/a.conf'), 'utf8')).toBe('port = 1');
    expect(readFileSync(join(dir, 'etc/b.conf'), 'utf8')).toBe('@PORT@ stays');
  });
});

describe('list templates', () => {
  const source = join(dir, 'lists');
  const render = (EDGES: string): string => {
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, 'edges.conf.each'), '[edge-@ID@] @ADDRESS@ @PORT@ @NODE@');
    renderFolder(source, join(dir, 'filled'), { EDGES, NODE: 'm1' });
    return readFileSync(join(dir, 'filled/edges.conf'), 'utf8');
  };

  it('are filled once per item', () => {
    expect(render('1=10.0.0.11:5060')).toBe('[edge-1] 10.0.0.11 5060 m1');
    expect(render('1=10.0.0.11:5060, 2=10.0.0.12:5060').split('\n')).toHaveLength(2);
  });

  it('reject a malformed list', () => {
    for (const list of ['', '10.0.0.11:5060', '1=10.0.0.11', '1=10.0.0.11:5060,', '1=a b:5060'])
      expect(() => render(list), list).toThrow('EDGES');
  });
});

describe('the engine archive', () => {
  const apt = (name: string, file: string, text: string): string => {
    const folder = join(dir, name);
    mkdirSync(join(folder, 'sources.list.d'), { recursive: true });
    writeFileSync(join(folder, file), text);
    return folder;
  };

  it('is the one this machine installs Debian from, in either format', () => {
    const paragraphs = [
      'Types: deb\nURIs: http://archive.test/debian-security\nSuites: bookworm-security\nComponents: main',
      'Types: deb\n# a remark\nURIs: http://archive.test/debian\nSuites: bookworm bookworm-updates\nComponents: main',
    ].join('\n\n');
    expect(debianArchive(apt('new', 'sources.list.d/debian.sources', paragraphs))).toBe(
      'http://archive.test/debian',
    );
    const lines = [
      '# deb http://old.test/debian bookworm main',
      'deb http://archive.test/debian-security bookworm-security main',
      'deb [signed-by=/usr/share/keyrings/a.gpg] http://archive.test/debian bookworm main',
    ].join('\n');
    expect(debianArchive(apt('old', 'sources.list', lines))).toBe('http://archive.test/debian');
  });

  it('is required', () => {
    expect(() => debianArchive(apt('none', 'sources.list', ''))).toThrow('No Debian archive found');
  });
});

describe('the cache', () => {
  beforeEach(() => void vi.stubEnv('XDG_CACHE_HOME', dir));
  afterEach(() => void vi.unstubAllEnvs());

  it('builds once, even for two concurrent requests, and again when the recipe changes', async () => {
    const folder = cachedAt('thing', { version: 1 });
    expect(cachedAt('thing', { version: 2 })).not.toBe(folder);
    let made = 0;
    const make = async (unfinished: string): Promise<void> => {
      made += 1;
      writeFileSync(join(unfinished, 'file'), 'whole');
    };
    await Promise.all([makeOnce(folder, make), makeOnce(folder, make)]);
    expect(made).toBe(1);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('whole');
  });

  it('keeps nothing of a failed build', async () => {
    const folder = cachedAt('thing', { version: 3 });
    const fail = (): Promise<void> => Promise.reject(new Error('no room'));
    await expect(makeOnce(folder, fail)).rejects.toThrow('no room');
    let made = false;
    await makeOnce(folder, async () => {
      made = true;
    });
    expect(made).toBe(true);
  });
});

it('gives every engine of a cell a separate address', async () => {
  const cell = await chooseCell();
  const edges = [edgeAddresses(cell, 1), edgeAddresses(cell, 2)].flatMap((edge) => [
    edge.public,
    edge.private,
  ]);
  const addresses = [...edges, mediaNodeAddress(cell, 1), mediaNodeAddress(cell, 2), simulatorAddress(cell)];
  expect(new Set(addresses.map(({ address }) => address)).size).toBe(addresses.length);
  for (const { address } of addresses) expect(address).toMatch(/^127\./);
});
