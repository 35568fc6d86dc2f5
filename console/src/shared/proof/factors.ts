import { api, unwrap } from '../../api/client.ts';
import { isProblem, Problem } from '../../api/problem.ts';

/** The second factors that a response asks for. */
export interface AskedFactors {
  /** `recovery`: the user has no app, but recovery codes. */
  code: 'app' | 'recovery' | undefined;
  hasPasskey: boolean;
}

/** Returns the second factors that an error asks for; undefined for any other error. */
export function askedFactors(error: unknown): AskedFactors | undefined {
  if (!isProblem(error) || error.code !== 'SECOND_FACTOR_REQUIRED') return undefined;
  const otp = error.faults.find(({ path }) => path === 'otp');
  return {
    code: otp && (otp.code === 'totp' ? 'app' : 'recovery'),
    hasPasskey: error.faults.some(({ path }) => path === 'passkey'),
  };
}

/** Asks the user for a passkey and returns the answer for the API. */
export async function readPasskey() {
  const optionsJSON = await unwrap(api.POST('/console/session/passkey', { body: null }));
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const answer = await orNotUsed(() => startAuthentication({ optionsJSON }));
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/** Lets the user create a passkey and returns it for the API. */
export async function createPasskey() {
  const optionsJSON = await unwrap(api.POST('/users/me/factors/passkey/start', { body: null }));
  const { startRegistration } = await import('@simplewebauthn/browser');
  const registration = await orNotUsed(() => startRegistration({ optionsJSON }));
  return { ...registration, clientExtensionResults: { ...registration.clientExtensionResults } };
}

/** The browser rejects if the user cancels, takes too long or has no such passkey; it does not say which. */
async function orNotUsed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw new Problem({ status: 400, code: 'PASSKEY_FAILED', message: String(error) });
  }
}
