import type { TFunction } from 'i18next';
import { isProblem } from '../../api/problem.ts';
import { explainFault } from '../problems/problem-text.ts';

/** Returns the localized message of an invalid field of a contact. */
export function contactFaultText(t: TFunction, { code }: { code: string }): string {
  switch (code) {
    case 'duplicate':
    case 'invalid_number':
    case 'required':
      return t(`contacts.faults.${code}`);
    default:
      return explainFault(t, { code });
  }
}

/** Returns the first localized message of each field, by field name. */
export function contactFaults(t: TFunction, error: unknown): Record<string, string> {
  const faults = isProblem(error) ? error.faults : [];
  const messages = faults.map((fault) => [fault.path, contactFaultText(t, fault)] as const);
  return Object.fromEntries(messages.reverse());
}
