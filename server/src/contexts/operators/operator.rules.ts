import { commonPassword, isCommonPassword } from '../../platform/common-passwords.ts';

/** A session ends after a working day. */
export const sessionSeconds = 12 * 3600;
export const setUpSeconds = 24 * 3600;
export const approvalSeconds = 24 * 3600;

/** After this many failed logins in a row, the operator is held off. */
export const failuresBeforeHold = 5;
export const holdSeconds = 15 * 60;

const leastPassword = 12;

export function checkPassword(password: string): void {
  if (password.length < leastPassword)
    throw new Error(`The password must have at least ${leastPassword} characters.`);
  if (isCommonPassword(password)) throw new Error(`The password ${commonPassword.message}.`);
}
