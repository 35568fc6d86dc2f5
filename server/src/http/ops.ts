import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/telemetry/metrics.ts';

export interface OpsDeps {
  metrics: Metrics;
  /** Health checks; each throws when it fails. */
  checks: Record<string, () => Promise<unknown>>;
  isStopping: () => boolean;
}

/** Builds the health and metrics server, on a separate port that only the operator reaches. */
export function buildOps({ metrics, checks, isStopping }: OpsDeps): FastifyInstance {
  const ops = Fastify({ logger: false });
  ops.get('/health/live', async () => ({ status: 'ok' }));
  ops.get('/health/ready', async (_request, reply) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)]),
    );
    const ready = !isStopping() && states.every(([, state]) => state === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(states) });
  });
  ops.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  return ops;
}

async function runCheck(check: () => Promise<unknown>): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch {
    return 'unavailable';
  }
}
