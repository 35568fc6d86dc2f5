import type { JobHandlers } from '../../platform/jobs.ts';
import type { ChangePaymentDeps } from './change-payment.ts';
import { notifyJobSchema, notifyQueue, type ReportDeps } from './report-payment.ts';
import { reportAndSettle } from './settle-payment.ts';

export { notifyQueue };

export const sandboxJobs = (deps: ReportDeps & ChangePaymentDeps): JobHandlers => ({
  [notifyQueue.name]: (data, job) => reportAndSettle(deps, notifyJobSchema.parse(data), job.signal),
});
