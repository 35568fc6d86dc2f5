import type { JobHandlers } from '../../platform/jobs.ts';
import type { Instruments } from './instruments.ts';

export function measureJobs(handlers: JobHandlers, instruments: Instruments): JobHandlers {
  const recordDuration = instruments.histogram('disca_job_seconds');
  return Object.fromEntries(
    Object.entries(handlers).map(([queue, handle]): [string, JobHandlers[string]] => [
      queue,
      async (data, job) => {
        const startedMs = performance.now();
        let outcome = 'failed';
        try {
          await handle(data, job);
          outcome = 'done';
        } finally {
          recordDuration((performance.now() - startedMs) / 1000, { queue, outcome });
        }
      },
    ]),
  );
}
