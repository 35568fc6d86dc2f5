import { ship } from '../adapters/asterisk/shipper/index.ts';
import { buildOps } from '../http/ops.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { readShipperConfig } from './config.ts';
import { createInstruments } from './observe/instruments.ts';
import { exportShippingMetrics } from './observe/shipping.ts';
import { run } from './run.ts';

/** Runs on each media node: uploads its detail records and recordings to the voice processes. */
await run('shipper', async (lifecycle) => {
  const config = readShipperConfig(process.env);
  const log = createLogger({ level: config.LOG_LEVEL, process: 'shipper' });
  const metrics = createMetrics('shipper');
  const paths = { recordsFile: config.RECORDS_FILE, recordingsDirectory: config.RECORDINGS_DIRECTORY };
  const onFailure = exportShippingMetrics(createInstruments(metrics, 'shipper'), paths);
  const stopping = new AbortController();
  const shipping = ship(
    {
      url: config.CONTROL_URL,
      node: config.NODE_NAME,
      secret: config.NODE_SECRET,
      ...paths,
      onError(err) {
        onFailure();
        log.warn({ err }, 'shipping failed; retrying');
      },
    },
    stopping.signal,
  );
  const ops = buildOps({ metrics, checks: {}, isStopping: lifecycle.isStopping });
  await ops.listen({ host: config.OPS_HOST, port: config.OPS_PORT });
  return {
    log,
    graceMs: config.SHUTDOWN_GRACE_MS,
    async stop() {
      stopping.abort();
      await shipping;
      await ops.close();
    },
  };
});
