import { env } from 'node:process';
import type { Command } from 'commander';
import { Disca } from '../sdk/src/index.ts';
import { CliFault } from './fault.ts';
import { type Output, progress } from './output.ts';
import { type Profile, readProfiles, usualProfile } from './profile.ts';

export interface Connection extends Output {
  profile?: string;
  baseUrl?: string;
}

/** What every command that asks the service understands. */
export const withConnection = (command: Command): Command =>
  command
    .option('--profile <name>', `which log-in to use; ${usualProfile} or DISCA_PROFILE unless given`)
    .option('--base-url <url>', 'where the service is; that of the log-in or DISCA_URL unless given');

export const profileName = ({ profile }: Connection): string => profile ?? env.DISCA_PROFILE ?? usualProfile;

/**
 * Who asks, and where: DISCA_TOKEN and DISCA_URL go before what was logged in. The token of a log-in is for the service
 * that gave it, and goes to no other address.
 */
export function profileOf(options: Connection): Profile {
  const known = readProfiles()[profileName(options)];
  const baseUrl = options.baseUrl ?? env.DISCA_URL ?? known?.baseUrl;
  const token = env.DISCA_TOKEN ?? known?.token;
  if (!token)
    throw new CliFault(
      `Nobody is logged in as ${profileName(options)}.`,
      'Log in with: disca login --base-url https://voice.example.com, or set DISCA_TOKEN and DISCA_URL.',
      'NOT_LOGGED_IN',
    );
  const address = addressOf(options, baseUrl);
  if (env.DISCA_TOKEN === undefined && known && new URL(address).origin !== new URL(known.baseUrl).origin)
    throw new CliFault(
      `The log-in ${profileName(options)} is for ${known.baseUrl} and not for ${address}.`,
      `Log in there under another name: disca login --profile NAME --base-url ${address}, or set DISCA_TOKEN.`,
      'OTHER_SERVICE',
    );
  return { baseUrl: address, token, email: known?.email ?? '' };
}

/** Where the service is. Whoever would send secrets in plain text over a network is warned. */
export function addressOf(options: Connection, baseUrl: string | undefined): string {
  const address = checkedUrl(baseUrl);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:' && !/^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname))
    progress(options, `${address} is not encrypted: whoever is on the way can read the token.`);
  return address;
}

function checkedUrl(baseUrl: string | undefined): string {
  if (baseUrl && URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)) return baseUrl;
  throw new CliFault(
    baseUrl ? `${baseUrl} is not an address.` : 'It was not said where the service is.',
    'Add --base-url with the address of the console, such as https://voice.example.com, or set DISCA_URL.',
    'NO_BASE_URL',
  );
}

export function connect(options: Connection, who: Partial<Profile> = profileOf(options)): Disca {
  return new Disca({
    baseUrl: checkedUrl(who.baseUrl),
    token: who.token,
    onRetry: ({ error, waitMs }) =>
      progress(options, `${error.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`),
  });
}

/** Ends by Ctrl-C or when it is told to stop; a second time ends the program at once. */
export function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // A reader that has gone, such as head, wants no more.
  process.stdout.on('error', stop);
  return stopped.signal;
}
