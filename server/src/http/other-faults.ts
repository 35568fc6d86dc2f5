import type { FastifyInstance, FastifyRequest } from 'fastify';
import { anonymousChecksLimit, type RequestLimiter } from '../contexts/limits/index.ts';
import { invalid, Refusal } from '../platform/errors.ts';

/**
 * Reports the faults that a schema cannot detect, such as duplicates, together with those of the schema. A route
 * declares how to find them in a body that its schema has refused; in a valid body, its use case finds them.
 */
export function reportOtherFaults(app: FastifyInstance, limiter: RequestLimiter): void {
  async function refuseWithOtherFaults(request: FastifyRequest): Promise<void> {
    const error = request.validationError;
    if (!error) return;
    const { otherFaults } = request.routeOptions.config;
    if (!otherFaults || error.validationContext !== 'body' || !(error instanceof Refusal)) throw error;
    if (!(await mayCheck(limiter, request))) throw error;
    const known = error.details ?? [];
    const paths = new Set(known.map(({ path }) => path));
    const others = (await otherFaults(request)).filter(({ path }) => !paths.has(path));
    throw invalid(...known, ...others);
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.otherFaults) return;
    route.attachValidation = true;
    route.preHandler = [refuseWithOtherFaults, ...[route.preHandler ?? []].flat()];
  });
}

const mayCheck = async (
  limiter: RequestLimiter,
  { caller, clientAddress }: FastifyRequest,
): Promise<boolean> =>
  caller !== undefined || !(await limiter.count(anonymousChecksLimit, clientAddress)).exceeded;
