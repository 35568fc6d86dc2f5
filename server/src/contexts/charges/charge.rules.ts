import { type Fault, invalid } from '../../platform/errors.ts';
import { dayInSaoPaulo, secondsAfter, startOfDay } from '../../platform/time.ts';
import type { ChargeStatus } from './gateway.ts';

export const isOpen = (status: ChargeStatus): boolean => status === 'PENDING' || status === 'OVERDUE';
export const isPaid = (status: ChargeStatus): boolean => status === 'CONFIRMED' || status === 'RECEIVED';
export const isGivenBack = (status: ChargeStatus): boolean =>
  status === 'REFUNDED' || status === 'CHARGEBACK';

/**
 * The status after the gateway reported `reported`. Only a payment leaves CANCELED, only a paid charge is given back,
 * and a chargeback that was won is paid again. A report that leads nowhere changes nothing.
 */
export function afterReport(current: ChargeStatus, reported: ChargeStatus): ChargeStatus {
  if (isPaid(reported)) {
    const goesBack = (current === 'RECEIVED' && reported === 'CONFIRMED') || current === 'REFUNDED';
    return goesBack ? current : reported;
  }
  if (isGivenBack(reported)) return isPaid(current) ? reported : current;
  return isOpen(current) ? reported : current;
}

export interface Credited {
  amountMicros: number;
  feeMicros: number;
}

/** What a charge credits in this state. Money that goes back in parts is the customer's first, and our fee last. */
export function creditDue(status: ChargeStatus, charge: Credited, refundedMicros: number): Credited {
  if (!isPaid(status)) return { amountMicros: 0, feeMicros: 0 };
  const amountMicros = Math.max(0, charge.amountMicros - refundedMicros);
  const feeMicros = Math.min(charge.feeMicros, charge.amountMicros + charge.feeMicros - refundedMicros);
  return { amountMicros, feeMicros: Math.max(0, feeMicros) };
}

const oneDay = 24 * 3600;
const latestDays = 7;

export function addDays(day: string, days: number): string {
  return secondsAfter(new Date(`${day}T00:00:00.000Z`), days * oneDay)
    .toISOString()
    .slice(0, 10);
}

/** From tomorrow to seven days ahead, judged in Sao Paulo. */
export function refuseDueDate(dueDate: string, at: Date): void {
  const today = dayInSaoPaulo(at);
  if (dueDate > today && dueDate <= addDays(today, latestDays)) return;
  const fault: Fault = {
    path: 'dueDate',
    code: 'out_of_range',
    message: `\`dueDate\` must be from ${addDays(today, 1)} to ${addDays(today, latestDays)}.`,
  };
  throw invalid(fault);
}

/** Gateways have quotas: the older a charge is, the more rarely it is read. */
function openIntervalSeconds(ageSeconds: number): number {
  if (ageSeconds < 600) return 120;
  if (ageSeconds < 3600) return 900;
  return ageSeconds < oneDay ? 3600 : Math.max(6 * 3600, ageSeconds / 8);
}

const settledIntervalSeconds = (ageSeconds: number): number => Math.max(oneDay / 2, ageSeconds / 8);

/** When to read the payment again, should no notification come: often while it is open, rarely once it is settled. */
export function nextCheck(
  charge: { status: ChargeStatus; createdAt: Date; dueDate: string },
  at: Date,
): Date | null {
  const ageSeconds = (at.getTime() - charge.createdAt.getTime()) / 1000;
  if (ageSeconds > 180 * oneDay) return null;
  if (isOpen(charge.status)) {
    const soon = secondsAfter(at, openIntervalSeconds(ageSeconds));
    const overdue = startOfDay(addDays(charge.dueDate, 1));
    return charge.status === 'PENDING' && overdue > at && overdue < soon ? overdue : soon;
  }
  return secondsAfter(at, isGivenBack(charge.status) ? 7 * oneDay : settledIntervalSeconds(ageSeconds));
}

/**
 * For this long a charge is one process's to ask the gateway about: two that asked at once could make two payments.
 * Whoever has not asked by then is gone, and the next check goes on.
 */
const leaseSeconds = 15;

export const leaseFrom = (at: Date): Date => secondsAfter(at, leaseSeconds);

export const isBeingOpened = ({ nextCheckAt }: { nextCheckAt: Date | null }, at: Date): boolean =>
  nextCheckAt !== null && nextCheckAt > at && nextCheckAt <= leaseFrom(at);
