import type { JobHandlers } from '../../platform/jobs.ts';
import { mailJobSchema } from './mail.ts';
import { mailSendQueue } from './queue-mail.ts';
import { type SendMailDeps, sendMail } from './send-mail.ts';

export const mailJobs = (deps: SendMailDeps): JobHandlers => ({
  [mailSendQueue.name]: (data) => sendMail(deps, mailJobSchema.parse(data)),
});
