import { ship } from '../adapters/asterisk/shipper/index.ts';
import { createLogger } from '../platform/log.ts';
import { readShipperConfig } from './config.ts';
import { run } from './run.ts';

/** Beside each media node: carries its detail records and recordings to the voice processes. */
await run('shipper', async () => {
  const config = readShipperConfig(process.env);
  const log = createLogger({ level: config.LOG_LEVEL, process: 'shipper' });
  const stopping = new AbortController();
  const shipping = ship(
    {
      url: config.CONTROL_URL,
      node: config.NODE_NAME,
      secret: config.NODE_SECRET,
      recordsFile: config.RECORDS_FILE,
      recordingsDirectory: config.RECORDINGS_DIRECTORY,
      onError: (err) => log.warn({ err }, 'shipping failed; trying again'),
    },
    stopping.signal,
  );
  return {
    log,
    graceMs: config.SHUTDOWN_GRACE_MS,
    async stop() {
      stopping.abort();
      await shipping;
    },
  };
});
