import type { TFunction } from 'i18next';
import type { HoldState } from '../../shared/calls/hold-state.ts';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import type { PhoneCall } from './state.ts';

/** The other party: its name if the call's metadata has it, else its number. */
export const callee = ({ party, number }: PhoneCall): string => party?.name ?? formatPhone(number);

/** How far the call is. */
export function stageText(t: TFunction, call: PhoneCall): string {
  if (call.stage !== 'incoming') return t(`phone.stage.${call.stage}`);
  if (call.isPlaced === undefined) return t('phone.stage.unknown');
  return t(call.isPlaced ? 'phone.stage.placed' : 'phone.stage.incoming');
}

/** How far the call is, and whether a party is on hold. */
export function talkText(t: TFunction, call: PhoneCall, hold: HoldState): string {
  return holdText(t, hold) ?? stageText(t, call);
}

/** Who is on hold, if anyone. */
export function holdText(t: TFunction, { isHolding, isHeld }: HoldState): string | undefined {
  if (isHolding) return t('calls.hold.on');
  return isHeld ? t('calls.hold.own') : undefined;
}
