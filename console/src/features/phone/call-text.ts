import type { TFunction } from 'i18next';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import type { PhoneCall } from './state.ts';

/** The other party: its name if the call's metadata has it, else its number. */
export const callee = ({ party, number }: PhoneCall): string => party?.name ?? formatPhone(number);

/** How far the call is. */
export function stageText(t: TFunction, call: PhoneCall): string {
  if (call.stage !== 'incoming') return t(`phone.stage.${call.stage}`);
  if (call.isPlaced === undefined) return t('phone.stage.unknown');
  return call.isPlaced ? t('phone.offer', { who: callee(call) }) : t('phone.stage.incoming');
}
