import { type ChangePaymentDeps, changePayment } from './change-payment.ts';
import { type NotifyJob, type ReportDeps, reportEvents } from './report-payment.ts';

/** Reports a change. For card payments, then settles the payment and reports that as well. */
export async function reportAndSettle(
  deps: ReportDeps & ChangePaymentDeps,
  { paymentId, events, reporting }: NotifyJob,
  signal: AbortSignal,
): Promise<void> {
  await reportEvents(deps, events, signal);
  await changePayment(deps, paymentId, 'settle', { reporting });
}
