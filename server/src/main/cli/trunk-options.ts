import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { Refusal } from '../../platform/errors.ts';

/** Options of `trunk add` and `trunk set` for the connection to the carrier. */
export interface ConnectionOptions {
  transport?: 'udp' | 'tcp' | 'tls';
  srtp?: 'on' | 'off';
  /** False removes the credentials. */
  user?: string | false;
  passwordFile?: string;
  inboundUser?: string | false;
  inboundPasswordFile?: string;
}

export const withConnectionOptions = (command: Command): Command =>
  command
    .addOption(new Option('--transport <transport>', 'transport of SIP').choices(['udp', 'tcp', 'tls']))
    .addOption(
      new Option('--srtp <state>', 'on: refuse unencrypted audio; needs --transport tls').choices([
        'on',
        'off',
      ]),
    )
    .option('--user <name>', 'user name for calls to the carrier')
    .option('--password-file <file>', 'file with the password of --user; - reads standard input')
    .option('--inbound-user <name>', 'user name that the carrier must send for its calls to us')
    .option(
      '--inbound-password-file <file>',
      'file with the password of --inbound-user; - reads standard input',
    );

/** Returns the changes that the options request; absent options change nothing. */
export function connectionOf(options: ConnectionOptions) {
  const outbound = loginOf(options.user, options.passwordFile, '');
  const inbound = loginOf(options.inboundUser, options.inboundPasswordFile, 'inbound-');
  return {
    ...(options.transport === undefined ? {} : { transport: options.transport }),
    ...(options.srtp === undefined ? {} : { srtp: options.srtp === 'on' }),
    ...(outbound === undefined ? {} : { outboundLogin: outbound }),
    ...(inbound === undefined ? {} : { inboundLogin: inbound }),
  };
}

function loginOf(user: string | false | undefined, file: string | undefined, prefix: string) {
  if (user === false) return null;
  if (user === undefined && file === undefined) return undefined;
  if (user === undefined || file === undefined)
    throw new Refusal(
      'VALIDATION_ERROR',
      `--${prefix}user and --${prefix}password-file must be given together.`,
    );
  return { user, password: readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '') };
}
