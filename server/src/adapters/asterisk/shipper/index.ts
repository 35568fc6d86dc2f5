import { setTimeout as sleep } from 'node:timers/promises';
import { createController } from './controller.ts';
import { createRecordingShipper } from './ship-recordings.ts';
import { shipRecords } from './ship-records.ts';

export interface ShipperOptions {
  /** The private address of the voice processes, such as http://voice:8390. */
  url: string;
  node: string;
  secret: string;
  recordsFile: string;
  recordingsDirectory: string;
  onError(error: unknown): void;
}

const pauseMs = 500;

/** Runs beside one media node until stopped. Failures are retried in the next round. */
export async function ship(options: ShipperOptions, stopping: AbortSignal): Promise<void> {
  const controller = createController(options);
  const shipRecordings = createRecordingShipper(controller, options.recordingsDirectory, options.onError);
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping.aborted) {
      await work().catch(options.onError);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  };
  // Separate, because uploads hang while the object store is unavailable, and records report the ends of calls.
  await Promise.all([
    repeat(() => shipRecords(controller, options.recordsFile)),
    repeat(() => shipRecordings(Date.now())),
  ]);
}
