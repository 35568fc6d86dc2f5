import { type Fault, invalid } from '../../platform/errors.ts';
import { dayInSaoPaulo, secondsAfter, startOfDay } from '../../platform/time.ts';
import type { ChargeStatus } from './gateway.ts';

export const isOpen = (status: ChargeStatus): boolean => status === 'PENDING' || status === 'OVERDUE';
export const isPaid = (status: ChargeStatus): boolean => status === 'CONFIRMED' || status === 'RECEIVED';
export const isGivenBack = (status: ChargeStatus): boolean =>
  status === 'REFUNDED' || status === 'CHARGEBACK';

/**
 * Returns the status after the gateway reported `reported`. A CANCELED charge changes only if it is paid; only a paid
 * charge can be refunded or charged back; a won chargeback makes it paid again. Other reports have no effect.
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

/**
 * Returns the credit due in this state, without what is retained. Partial refunds reduce the customer's credit first,
 * then our fee.
 */
export function creditDue(
  status: ChargeStatus,
  charge: Credited & { retainedMicros: number },
  refundedMicros: number,
): Credited {
  if (!isPaid(status)) return { amountMicros: 0, feeMicros: 0 };
  const amountMicros = Math.max(0, charge.amountMicros - refundedMicros - charge.retainedMicros);
  const feeMicros = Math.min(charge.feeMicros, charge.amountMicros + charge.feeMicros - refundedMicros);
  return { amountMicros, feeMicros: Math.max(0, feeMicros) };
}

const oneDay = 24 * 3600;
const latestDays = 7;

/** Card payments can be reversed for weeks, so a new account can spend only this much of them at once. */
const cardAllowanceMicros = 200_000_000;
const newAccountSeconds = 30 * oneDay;
const retainedSeconds = 30 * oneDay;

/** Returns how much of a card payment that was just confirmed is retained, and until when at the latest. */
export function retentionOf(
  { amountMicros, paidAt }: { amountMicros: number; paidAt: Date },
  { accountCreatedAt, otherMicros }: { accountCreatedAt: Date; otherMicros: number },
): { retainedMicros: number; retainedUntil: Date | null } {
  const isNew = paidAt < secondsAfter(accountCreatedAt, newAccountSeconds);
  const creditedMicros = Math.min(amountMicros, Math.max(0, cardAllowanceMicros - otherMicros));
  const retainedMicros = isNew ? amountMicros - creditedMicros : 0;
  return {
    retainedMicros,
    retainedUntil: retainedMicros > 0 ? secondsAfter(paidAt, retainedSeconds) : null,
  };
}

export function addDays(day: string, days: number): string {
  return secondsAfter(new Date(`${day}T00:00:00.000Z`), days * oneDay)
    .toISOString()
    .slice(0, 10);
}

/** Returns the faults of a due date, which must be from tomorrow to seven days ahead in Sao Paulo. */
export function faultsOfDueDate(dueDate: string, at: Date): Fault[] {
  const today = dayInSaoPaulo(at);
  if (dueDate > today && dueDate <= addDays(today, latestDays)) return [];
  return [
    {
      path: 'dueDate',
      code: 'out_of_range',
      message: `\`dueDate\` must be from ${addDays(today, 1)} to ${addDays(today, latestDays)}.`,
    },
  ];
}

export function refuseDueDate(dueDate: string, at: Date): void {
  const faults = faultsOfDueDate(dueDate, at);
  if (faults.length > 0) throw invalid(...faults);
}

/** Returns the polling interval. Gateways have quotas: the older a charge, the less often it is polled. */
function openIntervalSeconds(ageSeconds: number): number {
  if (ageSeconds < 600) return 120;
  if (ageSeconds < 3600) return 900;
  return ageSeconds < oneDay ? 3600 : Math.max(6 * 3600, ageSeconds / 8);
}

const settledIntervalSeconds = (ageSeconds: number): number => Math.max(oneDay / 2, ageSeconds / 8);

/** Returns when to poll the payment in case no notification arrives: often while it is open, rarely once settled. */
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
 * Lease of a charge while one process calls the gateway: concurrent calls could create two payments. If the process
 * dies, the next check continues after this time.
 */
const leaseSeconds = 15;

export const leaseFrom = (at: Date): Date => secondsAfter(at, leaseSeconds);

export const isBeingOpened = ({ nextCheckAt }: { nextCheckAt: Date | null }, at: Date): boolean =>
  nextCheckAt !== null && nextCheckAt > at && nextCheckAt <= leaseFrom(at);
