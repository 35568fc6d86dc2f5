import { env } from 'node:process';
import type { Command } from 'commander';
import { Disca } from '../sdk/src/index.ts';
import { CliError } from './cli-error.ts';
import { type Output, progress } from './output.ts';
import { type Profile, readProfiles, usualProfile } from './profile.ts';

export interface Connection extends Output {
  profile?: string;
  baseUrl?: string;
}

/** Adds the options of every command that connects to the service. */
export const withConnection = (command: Command): Command =>
  command
    .option('--profile <name>', `stored login to use; default: DISCA_PROFILE or ${usualProfile}`)
    .option('--base-url <url>', 'URL of the service; default: DISCA_URL or that of the login');

export const profileName = ({ profile }: Connection): string => profile ?? env.DISCA_PROFILE ?? usualProfile;

/**
 * Returns the token and address to use. DISCA_TOKEN and DISCA_URL take precedence over the stored login. The token of a
 * login is sent only to the service that issued it.
 */
export function profileOf(options: Connection): Profile {
  const profile = readProfiles()[profileName(options)];
  const baseUrl = options.baseUrl ?? env.DISCA_URL ?? profile?.baseUrl;
  const token = env.DISCA_TOKEN ?? profile?.token;
  if (!token)
    throw new CliError(
      `Not logged in as ${profileName(options)}.`,
      'Log in with: disca login --base-url https://voice.example.com, or set DISCA_TOKEN and DISCA_URL.',
      'NOT_LOGGED_IN',
    );
  const address = addressOf(options, baseUrl);
  if (env.DISCA_TOKEN === undefined && profile && new URL(address).origin !== new URL(profile.baseUrl).origin)
    throw new CliError(
      `The login ${profileName(options)} is for ${profile.baseUrl}, not for ${address}.`,
      `Log in there under another name: disca login --profile NAME --base-url ${address}, or set DISCA_TOKEN.`,
      'OTHER_SERVICE',
    );
  return { baseUrl: address, token, email: profile?.email ?? '' };
}

/** Returns the URL of the service. Warns if secrets would be sent unencrypted over a network. */
export function addressOf(options: Connection, baseUrl: string | undefined): string {
  const address = checkedUrl(baseUrl);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:' && !/^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname))
    progress(options, `${address} is not encrypted: others on the network can read the token.`);
  return address;
}

function checkedUrl(baseUrl: string | undefined): string {
  if (baseUrl && URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)) return baseUrl;
  throw new CliError(
    baseUrl ? `${baseUrl} is not a URL.` : 'No service URL given.',
    'Add --base-url with the address of the console, such as https://voice.example.com, or set DISCA_URL.',
    'NO_BASE_URL',
  );
}

export function connect(options: Connection, who: Partial<Profile> = profileOf(options)): Disca {
  return new Disca({
    baseUrl: checkedUrl(who.baseUrl),
    token: who.token,
    onRetry: ({ error, waitMs }) =>
      progress(options, `${error.message} Retrying in ${Math.ceil(waitMs / 1000)} s.`),
  });
}

/** Returns a signal that aborts on Ctrl-C or SIGTERM; a second signal ends the program immediately. */
export function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // Stops when the reader of the output, such as head, has closed the pipe.
  process.stdout.on('error', stop);
  return stopped.signal;
}
