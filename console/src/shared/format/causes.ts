import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { texts } from '../../locales/pt-BR/index.ts';

export type Cause = keyof typeof texts.calls.causes;

/**
 * Cause of a call that the destination refused with this SIP status, as the call list shows it. Our media nodes send
 * 480 after the ringing time.
 */
export const causeBySipStatus = {
  404: 'UNALLOCATED_NUMBER',
  408: 'RECOVERY_ON_TIMER_EXPIRE',
  410: 'NUMBER_CHANGED',
  480: 'NO_ANSWER',
  484: 'INVALID_NUMBER_FORMAT',
  485: 'UNALLOCATED_NUMBER',
  486: 'USER_BUSY',
  600: 'USER_BUSY',
  603: 'CALL_REJECTED',
  604: 'UNALLOCATED_NUMBER',
} as const satisfies Record<number, Cause>;

export type RefusalCause = (typeof causeBySipStatus)[keyof typeof causeBySipStatus];

/** Translates the end reason of a call; untranslated causes are shown by name. */
export const causeText = (t: TFunction, cause: string): string =>
  t(`calls.causes.${cause as Cause}`, { defaultValue: cause });

export function useCauseText(): (cause: string) => string {
  const { t } = useTranslation();
  return (cause) => causeText(t, cause);
}
