import { hostname } from 'node:os';
import { Command } from 'commander';
import { Disca, isDiscaError } from '../../sdk/src/index.ts';
import { ask, askSecretly, readStdin } from '../ask.ts';
import { CliError } from '../cli-error.ts';
import { answer, progress, reais, sheet, withJson } from '../output.ts';
import { type Profile, profilesFile, readProfiles, writeProfiles } from '../profile.ts';
import { addressOf, type Connection, connect, profileName, profileOf, withConnection } from '../session.ts';

interface LoginOptions extends Connection {
  email?: string;
  passwordStdin?: boolean;
  otp?: string;
  tokenStdin?: boolean;
  days: string;
}

const secondsOfDay = 86_400;

export function loginCommand(): Command {
  return withJson(withConnection(new Command('login')))
    .description('log in and store a token for the other commands')
    .option('--email <email>', 'your e-mail address; prompted for by default')
    .option('--password-stdin', 'read the password from stdin')
    .option(
      '--otp <code>',
      'code of your app or recovery code, if you have a second factor; prompted for by default',
    )
    .option('--token-stdin', 'read an existing token from stdin')
    .option('--days <number>', 'lifetime of the token', '90')
    .action(async (options: LoginOptions) => {
      const baseUrl = addressOf(
        options,
        options.baseUrl ?? process.env.DISCA_URL ?? readProfiles()[profileName(options)]?.baseUrl,
      );
      const token = options.tokenStdin ? await readStdin() : await makeToken(baseUrl, options);
      const { user, account } = (await contextOf(connect(options, { baseUrl, token }))) ?? {};
      const profile: Profile = { baseUrl, token, email: user?.email ?? '' };
      writeProfiles({ ...readProfiles(), [profileName(options)]: profile });
      const summary = {
        profile: profileName(options),
        baseUrl,
        email: user?.email ?? null,
        account: account?.domain ?? null,
        mode: account?.mode ?? null,
      };
      const who =
        user && account
          ? `Logged in as ${user.email} of ${account.domain}, which is in ${account.mode} mode.`
          : 'Stored a token with scopes: commands outside of them are refused.';
      const text = `${who} The token is in ${profilesFile()}.`;
      answer(options, summary, text);
    });
}

/** Returns who is logged in; undefined for a valid token with scopes, which may not read it. */
async function contextOf(disca: Disca) {
  try {
    return await disca.users.context();
  } catch (error) {
    if (isDiscaError(error, 'TOKEN_SCOPE_MISSING')) return undefined;
    throw error;
  }
}

/** Creates a separate named token, so that users can recognise and revoke it. */
async function makeToken(baseUrl: string, options: LoginOptions): Promise<string> {
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 365)
    throw new CliError('--days must be a whole number from 1 to 365.', 'Omit it for 90 days.', 'BAD_OPTION');
  const email = options.email ?? (await ask('E-mail: '));
  const password = options.passwordStdin ? await readStdin() : await askSecretly('Password: ');
  const anonymous = new Disca({ baseUrl });
  progress(options, `logging in at ${baseUrl}`);
  const session = anonymous.as(await logIn(anonymous, { email, password, ttl: 300 }, options));
  const name = `disca on ${hostname()}`.slice(0, 60);
  const { id } = await session.tokens.create({ name, ttl: days * secondsOfDay });
  await session.access.logOut();
  return id;
}

/** Returns the token of a login. Prompts for the code of a user who has a second factor. */
async function logIn(
  disca: Disca,
  given: { email: string; password: string; ttl: number },
  { otp }: LoginOptions,
): Promise<string> {
  try {
    return (await disca.access.logIn({ ...given, ...(otp === undefined ? {} : { otp }) })).id;
  } catch (error) {
    if (otp !== undefined || !process.stdin.isTTY || !isDiscaError(error, 'SECOND_FACTOR_REQUIRED'))
      throw error;
    const code = await ask('Code of your app, or recovery code: ');
    return (await disca.access.logIn({ ...given, otp: code })).id;
  }
}

export function logoutCommand(): Command {
  return withJson(withConnection(new Command('logout')))
    .description('revoke the token and delete it')
    .action(async (options: Connection) => {
      const name = profileName(options);
      const { [name]: profile, ...others } = readProfiles();
      if (!profile)
        throw new CliError(`Not logged in as ${name}.`, 'There is nothing to do.', 'NOT_LOGGED_IN');
      let isRevoked = true;
      try {
        await connect(options, profile).access.logOut();
      } catch (error) {
        // Deletes the local token even if it has expired or the service is unreachable.
        if (!isDiscaError(error, 'INVALID_TOKEN', 'UNREACHABLE', 'TIMEOUT')) throw error;
        isRevoked = isDiscaError(error, 'INVALID_TOKEN');
      }
      writeProfiles(others);
      const doubt = isRevoked ? '' : ' The service could not be reached: revoke the token in the console.';
      answer(options, { profile: name, isRevoked }, `Logged out of ${profile.baseUrl}.${doubt}`);
    });
}

export function whoamiCommand(): Command {
  return withJson(withConnection(new Command('whoami')))
    .description('show the logged-in user, the service and the credit')
    .action(async (options: Connection) => {
      const profile = profileOf(options);
      const { baseUrl } = profile;
      const { user, account, credit, liveCalls } = await connect(options, profile).users.context();
      answer(
        options,
        { baseUrl, user, account, credit, liveCalls },
        sheet({
          user: `${user.name} <${user.email}>, ${user.role}`,
          account: `${account.name} (${account.domain}), ${account.mode} mode`,
          credit: credit
            ? `${reais(credit.available)} available, ${reais(credit.held)} held`
            : 'visible to ADMINs only',
          calls: `${liveCalls} running`,
          service: baseUrl,
        }),
      );
    });
}
