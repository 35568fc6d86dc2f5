import type { TFunction } from 'i18next';
import { isProblem, type Problem } from '../../api/problem.ts';
import type { texts } from '../../locales/pt-BR/index.ts';

type KnownCode = keyof typeof texts.problems.codes;
type KnownCause = keyof typeof texts.problems.causes;
type KnownFaultCode = keyof typeof texts.problems.faults;

/** Returns the localized message of an error: what happened, why, and what to do. */
export function explainProblem(t: TFunction, error: unknown): string {
  if (!isProblem(error)) return t('problems.codes.INTERNAL_ERROR');
  const code = error.code as KnownCode;
  const key = `problems.codes.${code}` as const;
  const cause = error.status === 422 ? undefined : error.faults[0]?.code;
  const text =
    (cause && t(`problems.causes.${cause as KnownCause}`, { defaultValue: '' })) ||
    t(key, { defaultValue: '' }) ||
    t('problems.unknown', { message: error.message });
  if (error.retryAfterSeconds === undefined) return text;
  return `${text} ${t('problems.wait', { count: error.retryAfterSeconds })}`;
}

/** Returns the localized message of a field error. */
export function explainFault(t: TFunction, fault: { code: string }): string {
  const key = `problems.faults.${fault.code as KnownFaultCode}` as const;
  return t(key, { defaultValue: '' }) || t('problems.faults.invalid');
}

/** Returns the first localized error of each field, by field name. */
export function faultsByField(t: TFunction, error: unknown): Record<string, string> {
  if (!isProblem(error)) return {};
  const messages = error.faults.map((fault) => [fault.path, explainFault(t, fault)] as const);
  return Object.fromEntries(messages.reverse());
}

/** Text with what support needs to find the request. */
export const problemDetails = (problem: Problem): string =>
  [problem.code, problem.status, problem.requestId, problem.message].filter(Boolean).join(' · ');
