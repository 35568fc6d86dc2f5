import { type ChangePaymentDeps, changePayment } from './change-payment.ts';
import { type NotifyJob, type ReportDeps, reportEvents } from './report-payment.ts';

/** Reports what happened, and once that is told lets the money that a card promised arrive, which is told in turn. */
export async function reportAndSettle(
  deps: ReportDeps & ChangePaymentDeps,
  { paymentId, events, reporting }: NotifyJob,
  signal: AbortSignal,
): Promise<void> {
  await reportEvents(deps, events, signal);
  await changePayment(deps, paymentId, 'settle', { reporting });
}
