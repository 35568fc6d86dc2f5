import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { buildOps } from '../http/ops.ts';
import type { Config } from './config.ts';
import type { Base } from './wire.ts';

/** Serves health and metrics. Readiness does not depend on Redis: without it, limits are counted per process. */
export async function serveOps(
  config: Config,
  { db, metrics }: Base,
  isStopping: () => boolean,
): Promise<FastifyInstance> {
  const checks = { database: () => sql`select 1`.execute(db.kysely) };
  const ops = buildOps({ metrics, checks, isStopping });
  await ops.listen({ host: config.OPS_HOST, port: config.OPS_PORT });
  return ops;
}
