import { type ErrorCode, isDiscaError } from '../sdk/src/index.ts';

/** What went wrong, and what to do about it. */
export class CliFault extends Error {
  readonly code: string;
  readonly advice: string;

  constructor(message: string, advice: string, code = 'CLI_FAULT') {
    super(message);
    this.name = 'CliFault';
    this.advice = advice;
    this.code = code;
  }
}

const advice: Partial<Record<ErrorCode, string>> = {
  ACCESS_DENIED: 'Only an ADMIN of the account may do this. Log in as one, or ask one.',
  AUTHORIZATION_REQUIRED: 'Log in first: disca login',
  CALLER_ID_NOT_ALLOWED: 'Show a number that the account owns, or leave --caller out.',
  CAPACITY_EXCEEDED: 'As many calls run as the account may have. Wait for one to end: disca calls',
  DESTINATION_NOT_ALLOWED: 'Only Brazilian numbers may be called unless the operator enables more.',
  EXTENSION_NOT_REGISTERED:
    'Open the softphone of that extension first; disca extensions shows which are registered.',
  FINANCIAL_ACCOUNT_INACTIVE: 'Say whom charges are made out to first, in the console under Credit.',
  INSUFFICIENT_CREDIT: 'Top up first: disca topup 50',
  INVALID_TOKEN: 'It has expired or was revoked. Log in again: disca login',
  LOGIN_FAILED: 'Check the e-mail address and the password. A forgotten one is reset in the console.',
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: 'Follow the link in the mail that was sent when you signed up.',
  NOT_FOUND: 'Check what you named: it is not in this account. disca whoami tells which account it is.',
  OPEN_CHARGE_EXISTS: 'Pay or cancel the open charge first.',
  RATE_LIMITED: 'Wait until the limit ends, and try again.',
  TIMEOUT: 'The service is slow or the network is. Try again.',
  TOKEN_LIMIT: 'Revoke tokens that nobody uses: disca tokens',
  UNEXPECTED_ANSWER: 'Check --base-url: it is the address of the console or of the API.',
  UNREACHABLE: 'Check the network and --base-url, and whether the service runs.',
  WEBHOOK_DISABLED: 'Give the integration a webhook, or enable it again, in the console.',
};

export interface Explained {
  code: string;
  message: string;
  advice?: string | undefined;
  faults?: { path: string; message: string }[];
  requestId?: string | undefined;
}

export function explain(error: unknown): Explained {
  if (isDiscaError(error)) {
    const { code, message, faults, requestId } = error;
    const known =
      faults.length > 0
        ? { faults: faults.map(({ path, message: fault }) => ({ path, message: fault })) }
        : {};
    return { code, message, advice: advice[code], requestId, ...known };
  }
  if (error instanceof CliFault) return { code: error.code, message: error.message, advice: error.advice };
  return { code: 'INTERNAL_ERROR', message: (error as Error).message };
}

/** Three lines at most for people: what, what to do, and what to quote. */
export function faultText({ code, message, advice: whatToDo, faults, requestId }: Explained): string {
  // The message of faults is their messages in a row, which are easier to read one by one.
  const what = faults?.map((fault) => `${fault.path}: ${fault.message}`) ?? [message];
  const quoted = requestId === undefined ? [] : [`(${code}, request ${requestId})`];
  return [...what, ...(whatToDo ? [whatToDo] : []), ...quoted].join('\n');
}
