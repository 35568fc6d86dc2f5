import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { capture, runInForeground } from './run-command.ts';
import { UserError } from './user-error.ts';

/** Files that prevent packages from starting or creating system services while they install. */
const installGuards = [
  { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n', mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/disca.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
];

const lockWaitSeconds = 120;

export async function installDebianPackages(names: string[]): Promise<void> {
  if (!existsSync('/usr/bin/apt-get')) {
    throw new UserError(
      `This is not Debian. Install the equivalents of these Debian packages: ${names.join(' ')}.`,
    );
  }
  if (process.getuid?.() !== 0) return installThroughSudo(names);
  const placed = installGuards.filter((restraint) => !existsSync(restraint.path));
  const withdraw = (): void => {
    for (const restraint of placed) rmSync(restraint.path, { force: true });
  };
  const withdrawAndLeave = (): void => {
    withdraw();
    process.exit(130);
  };
  process.once('SIGINT', withdrawAndLeave);
  process.once('SIGTERM', withdrawAndLeave);
  try {
    for (const { path, text, mode } of placed) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode });
    }
    await apt(['update']);
    await apt(['install', '--yes', '--no-install-recommends', ...names]);
  } finally {
    withdraw();
    process.off('SIGINT', withdrawAndLeave);
    process.off('SIGTERM', withdrawAndLeave);
  }
  await disableAtBoot(names);
}

/** Runs only this file as root, so that no file in the checkout becomes owned by root. */
async function installThroughSudo(names: string[]): Promise<void> {
  if (!existsSync('/usr/bin/sudo')) {
    throw new UserError(
      `Installing packages requires root, and sudo is missing. Install as root: ${names.join(' ')}`,
    );
  }
  const exitCode = await runInForeground('sudo', [process.execPath, import.meta.filename, ...names]);
  if (exitCode !== 0)
    throw new UserError(`Installing with sudo failed. Required packages: ${names.join(' ')}`);
}

async function apt(args: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const result = await capture('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${lockWaitSeconds}`, ...args], {
    env,
  });
  if (result.exitCode !== 0)
    throw new UserError(`apt-get ${args.join(' ')} failed:\n${result.output.trimEnd()}`);
}

/** Disables the system services of the packages, because we run our own servers on our own ports. */
async function disableAtBoot(names: string[]): Promise<void> {
  if (!existsSync('/run/systemd/system')) return;
  await capture('systemctl', ['disable', '--quiet', ...names]);
}

if (import.meta.main) await installDebianPackages(process.argv.slice(2));
