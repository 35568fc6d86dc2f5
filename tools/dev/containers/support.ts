import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from '../debian-packages.ts';
import { capture } from '../run-command.ts';
import { findOtherEngine } from './traces.ts';

/** Debian packages that the engine requires on this machine. */
const needs = [
  { program: 'iptables', debianPackage: 'iptables' },
  { program: 'runc', debianPackage: 'runc' },
  { program: 'docker-compose', debianPackage: 'docker-compose' },
];

/** Returns why containers cannot run here, if they cannot; installs missing packages first. */
export async function findContainerObstacle(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can start a container engine';
  if (!existsSync('/usr/bin/apt-get'))
    return 'the engine is taken from Debian packages, and this is another system';
  if (!/\boverlay$/m.test(readFileSync('/proc/filesystems', 'utf8')))
    return 'the kernel has no overlay file system';
  if (!existsSync('/sys/fs/cgroup')) return 'control groups are not available';
  const other = findOtherEngine();
  if (other) return other;
  const missing = needs.filter(({ program }) => !isInstalled(program));
  if (missing.length > 0) await installDebianPackages(missing.map(({ debianPackage }) => debianPackage));
  const probe = await capture('iptables', ['--wait', '--table', 'nat', '--list', 'POSTROUTING', '--numeric']);
  return probe.exitCode === 0 ? undefined : 'the kernel has no network address translation (netfilter)';
}

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
