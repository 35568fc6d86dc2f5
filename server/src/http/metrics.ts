import type { Metrics } from '../platform/metrics.ts';

export interface HttpMetrics {
  observe(method: string, route: string, status: number, seconds: number): void;
}

export function createHttpMetrics(metrics: Metrics): HttpMetrics {
  const duration = metrics.histogram({
    name: 'disca_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
  };
}
