import { type ErrorCode, isDiscaError } from '../sdk/src/index.ts';

/** An error with a message and advice. */
export class CliError extends Error {
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
  ACCESS_DENIED:
    'Only an ADMIN of the account can do or permit this. Log in as an ADMIN, or ask one to do it.',
  AUTHORIZATION_REQUIRED: 'Log in first: disca login',
  CALLER_ID_NOT_ALLOWED: 'Use a caller ID that the account owns, or omit --caller.',
  CAPACITY_EXCEEDED:
    'The account has reached its limit of concurrent calls. Wait for one to end: disca calls',
  DESTINATION_NOT_ALLOWED: 'Only Brazilian numbers can be called unless the operator enables others.',
  TRANSFER_IN_PROGRESS: 'Complete or cancel it first: disca transfer <call> --complete, or --cancel.',
  CALL_NOT_ANSWERED: 'Wait for the answer: disca calls follow, or GET /calls/{id}.',
  EXTENSION_NOT_REGISTERED:
    'Open the softphone of that extension first; disca extensions shows which are registered.',
  FINANCIAL_ACCOUNT_INACTIVE: 'Enter the billing details first, in the console under Credit.',
  INSUFFICIENT_CREDIT: 'Top up first: disca topup 50',
  INVALID_TOKEN: 'It has expired or was revoked. Log in again: disca login',
  LOGIN_FAILED:
    'Check the e-mail address and the password. You can reset a forgotten password in the console.',
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: 'Follow the link in the mail you received at sign-up.',
  NOT_FOUND: 'Check the id: it is not in this account. disca whoami shows the current account.',
  OPEN_CHARGE_EXISTS: 'Pay or cancel the open charge first.',
  RATE_LIMITED: 'Wait until the limit resets, and try again.',
  SECOND_FACTOR_FAILED: 'Wait for the next code of your app, or use another recovery code.',
  SECOND_FACTOR_REQUIRED: 'Give the code of your app, or a recovery code, with --otp.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Log in to the console and set up a second factor, then log in here.',
  TIMEOUT: 'The service or the network is slow. Try again.',
  TOKEN_LIMIT: 'Revoke unused tokens: disca tokens',
  UNEXPECTED_ANSWER: 'Check --base-url: it must be the address of the console or of the API.',
  UNREACHABLE: 'Check the network, --base-url, and whether the service is running.',
  WEBHOOK_DISABLED: 'Add a webhook to the integration, or enable it again, in the console.',
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
    const details =
      faults.length > 0
        ? { faults: faults.map(({ path, message: fault }) => ({ path, message: fault })) }
        : {};
    return { code, message, advice: advice[code], requestId, ...details };
  }
  if (error instanceof CliError) return { code: error.code, message: error.message, advice: error.advice };
  return { code: 'INTERNAL_ERROR', message: (error as Error).message };
}

/** Formats an error for people in at most three lines: what happened, what to do, and what to quote to support. */
export function errorText({ code, message, advice: whatToDo, faults, requestId }: Explained): string {
  // With several field errors the message is a concatenation; one error per line is easier to read.
  const what = faults?.map((fault) => `${fault.path}: ${fault.message}`) ?? [message];
  const quoted = requestId === undefined ? [] : [`(${code}, request ${requestId})`];
  return [...what, ...(whatToDo ? [whatToDo] : []), ...quoted].join('\n');
}
