import type { TFunction } from 'i18next';
import { causeBySipStatus, causeText, type RefusalCause } from '../../shared/format/causes.ts';
import type { EndReason } from './state.ts';

const refusalCauses: readonly string[] = Object.values(causeBySipStatus);
const isRefusal = (reason: EndReason): reason is RefusalCause => refusalCauses.includes(reason);

/** Why a call ended: in the words of the call list if the destination refused it, followed by what to do. */
export const endText = (t: TFunction, reason: EndReason): string =>
  isRefusal(reason) ? `${causeText(t, reason)}. ${t(`phone.advice.${reason}`)}` : t(`phone.ended.${reason}`);
