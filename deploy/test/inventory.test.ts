import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeCertificate } from '../../server/test/adapters/webhooks/servers.ts';
import { root } from '../../tools/dev/paths.ts';
import { type Inventory, parseInventory } from '../inventory/inventory.ts';
import { renderInventory } from '../inventory/render.ts';
import { openSecrets } from '../inventory/secrets.ts';

const example = join(root, 'deploy/inventory.example.json');
const readExample = (): Inventory => JSON.parse(readFileSync(example, 'utf8')) as Inventory;
const dir = mkdtempSync(join(tmpdir(), 'disca-inventory-'));
const secrets = join(dir, 'secrets');
const target = join(dir, 'target');
const read = (path: string): string => readFileSync(join(target, path), 'utf8');
const main = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'deploy/inventory/main.ts'), ...args], { encoding: 'utf8' });

beforeAll(async () => {
  mkdirSync(secrets);
  const { cert, key } = await makeCertificate('DNS:api.example.com');
  const provided = { certificate: cert, certificate_key: key, smtp_url: 'smtps://mail.invalid' };
  const keys = { s3_secret_access_key: 'a-key', backup_secret_access_key: 'another-key' };
  for (const [name, text] of Object.entries({ ...provided, ...keys }))
    writeFileSync(join(secrets, name), text);
  expect(main(example, secrets, target)).toMatchObject({ status: 0, stderr: '' });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the command', () => {
  it('keeps the secrets of an earlier run and creates the same files', () => {
    const before = globSync('**', { cwd: dir, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'utf8')]);
    expect(before.length).toBeGreaterThan(60);
    expect(main(example, secrets, target).status).toBe(0);
    const after = globSync('**', { cwd: dir, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'utf8')]);
    expect(after).toEqual(before);
  });

  it('names the secrets that the operator must provide', () => {
    const { status, stderr } = main(example, join(dir, 'no-secrets'), join(dir, 'nothing'));
    expect(status).toBe(1);
    expect(stderr).toContain(
      'smtp_url, certificate, certificate_key, s3_secret_access_key, backup_secret_access_key',
    );
  });
});

describe('backups', () => {
  /** Returns the value of an option as pgBackRest reads it from the files of a machine. */
  const optionOf = (machine: string, command: string, option: string): string => {
    const folder = join(machine, 'etc/pgbackrest');
    const { status, stdout, stderr } = spawnSync(
      'pgbackrest',
      [
        ...[`--config=${folder}/pgbackrest.conf`, `--config-include-path=${folder}/conf.d`],
        ...(command === 'server' ? [] : ['--stanza=disca']),
        ...['help', command, option],
      ],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
    return /^current: (.*)$/m.exec(stdout)?.[1] ?? '';
  };

  it('are read by pgBackRest, and PostgreSQL archives its WAL', () => {
    const folder = join(target, 'db1/etc/pgbackrest');
    expect(optionOf(join(target, 'db1'), 'backup', 'repo1-s3-bucket')).toBe('disca-backups');
    expect(read('db1/etc/patroni/config.yml')).toContain('archive_mode: "on"');
    expect(optionOf(join(target, 'db1'), 'archive-push', 'archive-async')).toBe('true');
    expect(optionOf(join(target, 'db1'), 'archive-push', 'spool-path')).toBe('/var/spool/pgbackrest');
    // In order: a machine that is lost leaves no gap.
    expect(optionOf(join(target, 'db1'), 'archive-push', 'process-max')).toBe('1');
    expect(Number(optionOf(join(target, 'db1'), 'backup', 'process-max'))).toBeGreaterThan(1);
    expect(optionOf(join(target, 'db1'), 'backup', 'archive-timeout')).toBe('1200');
    expect(statSync(join(folder, 'conf.d/repository.conf')).mode & 0o777).toBe(0o600);
  });

  it('are stored by a backup host, which trusts the database machines only, and they trust it', () => {
    const { backups: _, ...rest } = readExample();
    const backupHost = { name: 'backup1', role: 'backup', address: '10.0.0.61' };
    const inventory = parseInventory({ ...rest, hosts: [...rest.hosts, backupHost] });
    const own = join(dir, 'backup-host');
    const machines = join(own, 'machines');
    cpSync(secrets, own, { recursive: true });
    rmSync(join(own, 'backup_secret_access_key'));
    renderInventory({ inventory, secrets: openSecrets(own, inventory), target: machines });
    expect(optionOf(join(machines, 'db2'), 'archive-push', 'repo1-host')).toBe('10.0.0.61');
    expect(optionOf(join(machines, 'db2'), 'server', 'tls-server-auth')).toBe('backup1=disca');
    expect(optionOf(join(machines, 'backup1'), 'backup', 'pg1-host')).toBe('10.0.0.41');
    expect(optionOf(join(machines, 'backup1'), 'backup', 'archive-timeout')).toBe('1200');
    expect(optionOf(join(machines, 'backup1'), 'backup', 'repo1-path')).toBe('/var/lib/pgbackrest');
    expect(optionOf(join(machines, 'backup1'), 'server', 'tls-server-auth')).toBe(
      'db1=disca, db2=disca, db3=disca',
    );
    const readOwn = (path: string): string => readFileSync(join(machines, path), 'utf8');
    expect(readOwn('db1/etc/patroni/config.yml')).toContain('archive_mode: "on"');
    expect(readOwn('backup1/etc/pgbackrest/pgbackrest.conf')).toContain('\npg3-host=10.0.0.43\n');
    const tls = (machine: string, file: string): string => readOwn(`${machine}/etc/pgbackrest/tls/${file}`);
    for (const machine of ['db1', 'db2', 'db3', 'backup1']) {
      const certificate = new X509Certificate(tls(machine, 'machine.crt'));
      const authority = new X509Certificate(tls(machine, 'authority.crt'));
      expect(certificate.verify(authority.publicKey)).toBe(true);
      expect(certificate.subject).toBe(`CN=${machine}`);
      expect(statSync(join(machines, machine, 'etc/pgbackrest/tls/machine.key')).mode & 0o777).toBe(0o600);
    }
    expect(new X509Certificate(tls('backup1', 'machine.crt')).subjectAltName).toBe('DNS:10.0.0.61');
    expect(globSync('*/etc/pgbackrest/tls', { cwd: machines })).toHaveLength(4);
  });

  it('need a bucket or a backup host; without them PostgreSQL does not archive', () => {
    const { backups: _, ...rest } = readExample();
    const inventory = parseInventory(rest);
    const bare = join(dir, 'bare');
    renderInventory({ inventory, secrets: openSecrets(secrets, inventory), target: bare });
    const config = readFileSync(join(bare, 'db1/etc/patroni/config.yml'), 'utf8');
    expect(config).toContain('archive_mode: "off"');
    expect(globSync('db1/etc/pgbackrest/**', { cwd: bare })).toEqual([]);
  });
});

describe('an inventory', () => {
  const refuse = (change: (inventory: Inventory) => void): string => {
    const inventory = readExample();
    change(inventory);
    try {
      parseInventory(inventory);
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };

  it.each<[string, (inventory: Inventory) => void, string]>([
    ['a missing database host', ({ hosts }) => hosts.shift(), 'There must be 3 hosts with the role database'],
    ['a name that is used twice', ({ hosts }) => Object.assign(hosts[0] ?? {}, { name: 'db2' }), 'name db2'],
    [
      'an address that is used twice',
      ({ hosts }) => Object.assign(hosts[0] ?? {}, { address: '10.0.0.5' }),
      '10.0.0.5 is used twice',
    ],
    [
      'an address outside of the private network',
      ({ hosts }) => Object.assign(hosts[0] ?? {}, { address: '10.0.1.41' }),
      '10.0.1.41 is not in the private network',
    ],
    [
      'a bucket and a host for backups',
      ({ hosts }) =>
        hosts.push({
          name: 'backup1',
          role: 'backup',
          address: '10.0.0.61',
          folder: '/backups',
          processes: 2,
        }),
      'Backups are stored once',
    ],
    ['an unknown field', (inventory) => Object.assign(inventory, { color: 'red' }), 'color'],
    [
      'a setting that is a secret',
      ({ settings }) => Object.assign(settings.server, { KEY_RING: 'k1:AA==' }),
      'KEY_RING',
    ],
  ])('with %s is refused', (_, change, message) => {
    expect(refuse(change)).toContain(message);
  });

  it('of the example is accepted', () => {
    expect(refuse(() => undefined)).toBe('accepted');
  });
});

describe('the files of a host', () => {
  it('contain every secret for its owner only', () => {
    const known = globSync('*', { cwd: secrets })
      .filter((name) => name !== 'certificate')
      .map((name) => readFileSync(join(secrets, name), 'utf8').trim());
    const files = globSync('**', { cwd: target, withFileTypes: true }).filter((file) => file.isFile());
    const exposed = files
      .map((file) => join(file.parentPath, file.name))
      .filter((file) => (statSync(file).mode & 0o077) !== 0)
      .filter((file) => known.some((secret) => readFileSync(file, 'utf8').includes(secret)));
    expect(known.length).toBeGreaterThan(15);
    expect(exposed).toEqual([]);
  });

  it.each(['app1', 'edge2', 'media1'])('%s contain every secret that its units load', (host) => {
    const programs = {
      app1: ['api', 'worker', 'voice', 'prepare'],
      edge2: ['edge'],
      media1: ['media', 'shipper'],
    };
    for (const program of programs[host as keyof typeof programs]) {
      const unit = readFileSync(join(root, `deploy/systemd/disca-${program}.service`), 'utf8');
      const dropIns = globSync(`${host}/etc/systemd/system/disca-${program}.service.d/*.conf`, {
        cwd: target,
      });
      const text = [unit, ...dropIns.map(read)].join('\n').split('LoadCredential=\n').at(-1) ?? '';
      const loaded = [...text.matchAll(/^LoadCredential=\w+:(\S+)$/gm)].map(([, path]) => path ?? '');
      expect(loaded.length).toBeGreaterThan(0);
      for (const path of loaded) expect(read(join(host, path)).trim()).not.toBe('');
    }
  });

  it.each(['server', 'edge', 'media', 'shipper'])('set what %s.env of one machine sets', (name) => {
    const host = { server: 'app1', edge: 'edge1', media: 'media1', shipper: 'media1' }[name] ?? '';
    const namesIn = (text: string) =>
      [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, each]) => each ?? '');
    const expected = namesIn(readFileSync(join(root, `deploy/systemd/${name}.env`), 'utf8'));
    // The password of Redis makes its URL a secret. The console's own connections include those to the edges.
    const elsewhere = ['REDIS_URL', 'CONSOLE_CONNECTS'];
    expect(namesIn(read(`${host}/etc/disca/${name}.env`))).toEqual(
      expect.arrayContaining(expected.filter((each) => !elsewhere.includes(each))),
    );
  });

  it('are accepted by HAProxy and keepalived', () => {
    const own = join(dir, 'here');
    const inventory = parseInventory(readExample());
    // keepalived refuses interfaces that this machine does not have, and loopback.
    const [external = ''] =
      Object.entries(networkInterfaces()).find(([, links]) => links?.some((link) => !link.internal)) ?? [];
    for (const network of [inventory.private, inventory.public]) network.interface = external;
    renderInventory({
      inventory,
      secrets: openSecrets(secrets, inventory),
      target: own,
      at: (host, path) => join(own, host, path),
    });
    for (const host of ['lb1', 'lb2', 'media1', 'media2']) {
      const files = globSync('*.cfg', { cwd: join(own, host, 'etc/haproxy') });
      const start = readFileSync(join(own, host, 'etc/default/haproxy'), 'utf8');
      const started = [...start.matchAll(/[^\s="]+\.cfg/g)].map(([file]) => file);
      expect(started.map((file) => basename(file)).toSorted()).toEqual(files.toSorted());
      const args = ['-c', ...started.flatMap((file) => ['-f', file])];
      const haproxy = spawnSync('/usr/sbin/haproxy', args, { encoding: 'utf8' });
      expect(haproxy).toMatchObject({ status: 0, stderr: expect.not.stringContaining('WARNING') });
    }
    for (const host of ['lb1', 'lb2']) {
      const file = join(own, host, 'etc/keepalived/keepalived.conf');
      const keepalived = spawnSync('/usr/sbin/keepalived', ['--config-test', '-f', file], {
        encoding: 'utf8',
      });
      expect(keepalived.stderr + keepalived.stdout).toBe('');
      expect(keepalived.status).toBe(0);
    }
  });

  it('db1, db2 and db3 differ in their name and address only', () => {
    const patroni = ['db1', 'db2', 'db3'].map((host, index) => {
      const text = read(`${host}/etc/patroni/config.yml`);
      const { name, postgresql } = parse(text) as { name: string; postgresql: { listen: string } };
      expect([name, postgresql.listen]).toEqual([host, `10.0.0.4${index + 1}:5432`]);
      return text.replaceAll(/db\d|10\.0\.0\.4\d/g, '');
    });
    expect(new Set(patroni).size).toBe(1);
    expect(read('db2/etc/default/etcd')).toContain(
      'ETCD_INITIAL_CLUSTER=db1=http://10.0.0.41:2380,db2=http://10.0.0.42:2380,db3=http://10.0.0.43:2380\n',
    );
  });

  it('db1 runs Patroni under the check of its disk, which disca doctor asks', () => {
    const unit = read('db1/etc/systemd/system/patroni.service.d/disk-check.conf');
    const [, command = ''] = /^ExecStart=\n^ExecStart=(.+)$/m.exec(unit) ?? [];
    const [python = '', ...files] = command.split(' ');
    expect(python).toBe('/usr/bin/python3');
    expect(files).toEqual(['/etc/patroni/disk-check.py', '/etc/patroni/config.yml']);
    for (const file of files) expect(read(join('db1', file))).not.toBe('');
    const settings = read('app1/etc/disca/server.env');
    expect(settings).toContain('\nDATABASE_MACHINES=10.0.0.41,10.0.0.42,10.0.0.43\n');
  });

  it('app1 and media1 have certificates of one authority, whose key is on no host', () => {
    const authority = new X509Certificate(read('media1/etc/haproxy/nodes.crt'));
    const voice = new X509Certificate(read('app1/etc/disca/secrets/voice_certificate'));
    const node = new X509Certificate(read('media1/etc/haproxy/node.pem'));
    expect([voice, node].map((each) => each.verify(authority.publicKey))).toEqual([true, true]);
    expect([voice, node].map(({ subject, ca }) => [subject, ca])).toEqual([
      ['CN=voice', false],
      ['CN=media1', false],
    ]);
    // TLS client and TLS server.
    expect([voice, node].map(({ keyUsage }) => keyUsage)).toEqual([
      ['1.3.6.1.5.5.7.3.1'],
      ['1.3.6.1.5.5.7.3.2'],
    ]);
    const key = readFileSync(join(secrets, 'node_authority_key'), 'utf8').trim();
    const files = globSync('**', { cwd: target, withFileTypes: true }).filter((file) => file.isFile());
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
  });

  it('media nodes use TLS only after an upgrade, if it is optional, and voice accepts both', () => {
    expect(read('media1/etc/haproxy/voice.cfg')).toMatch(
      /server voice1 10\.0\.0\.31:8391 ssl crt .* verify required/,
    );
    expect(read('app1/etc/disca/server.env')).not.toContain('VOICE_PLAIN_NETWORKS');
    const inventory = parseInventory({ ...readExample(), voiceTls: 'optional' });
    const mixed = join(dir, 'mixed');
    renderInventory({ inventory, secrets: openSecrets(secrets, inventory), target: mixed });
    const readMixed = (path: string): string => readFileSync(join(mixed, path), 'utf8');
    expect(readMixed('media1/etc/haproxy/voice.cfg')).toMatch(/server voice1 10\.0\.0\.31:8390 +addr/);
    expect(readMixed('app1/etc/disca/server.env')).toContain(
      'VOICE_PLAIN_NETWORKS=127.0.0.0/8,10.0.0.0/24\n',
    );
    expect(readMixed('app1/etc/disca/secrets/voice_certificate')).toContain('CERTIFICATE');
  });

  it('app1 trust the certificate authority of the object store, if the inventory names one', () => {
    const example = readExample();
    const caFile = '/etc/disca/storage-ca.crt';
    const inventory = parseInventory({ ...example, storage: { ...example.storage, caFile } });
    const own = join(dir, 'private-authority');
    renderInventory({ inventory, secrets: openSecrets(secrets, inventory), target: own });
    const settings = readFileSync(join(own, 'app1/etc/disca/server.env'), 'utf8');
    expect(settings).toContain(`\nNODE_EXTRA_CA_CERTS=${caFile}\n`);
    expect(read('app1/etc/disca/server.env')).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  it('CALL-62 give a media node with a carrier address its listeners and certificate', () => {
    const own = join(dir, 'carriers');
    const example = readExample();
    const hosts = example.hosts.map((host) =>
      host.name === 'media2' ? { ...host, carrierAddress: '203.0.113.32' } : host,
    );
    const inventory = parseInventory({ ...example, hosts });
    renderInventory({
      inventory,
      secrets: openSecrets(secrets, inventory),
      target: own,
      at: (_, path) => path,
    });
    const readOwn = (path: string) => readFileSync(join(own, path), 'utf8');
    expect(readOwn('media2/etc/disca/media.env')).toContain(
      'CARRIER_SIP=203.0.113.32:5060\nCARRIER_TLS=203.0.113.32:5061\n',
    );
    expect(readOwn('media2/var/lib/disca-media/tls/carrier.key')).toContain('PRIVATE KEY');
    expect(readOwn('media1/etc/disca/media.env')).not.toContain('CARRIER_TLS');
    const twice = hosts.map((host) =>
      host.name === 'media1' ? { ...host, carrierAddress: '203.0.113.21' } : host,
    );
    expect(() => parseInventory({ ...example, hosts: twice })).toThrow('203.0.113.21 is used twice');
  });

  it('edge1 lets the relay reach the media nodes only', () => {
    const allowed = [...read('edge1/etc/turnserver.conf').matchAll(/^allowed-peer-ip=(.*)$/gm)];
    expect(allowed.map(([, address]) => address)).toEqual(['203.0.113.21', '203.0.113.22']);
  });
});
