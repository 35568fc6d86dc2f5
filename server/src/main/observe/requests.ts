import type { RequestObserver } from '../../http/request-log.ts';
import type { Tracing } from '../../platform/telemetry/tracing.ts';
import type { Instruments } from './instruments.ts';

const firstServerError = 500;

/** Measures every response, and adds requests about a call to the trace of that call. */
export function createRequestObserver(instruments: Instruments, tracing: Tracing): RequestObserver {
  const recordDuration = instruments.histogram('disca_http_request_seconds');
  const countBudget = instruments.counter('disca_budget_refusals_total');
  return ({ method, route, status, durationMs, requestId, traceparent, callId, budget }) => {
    recordDuration(durationMs / 1000, { method, route, status });
    if (budget !== undefined) countBudget({ resource: budget });
    if (!tracing.isOn) return;
    const endedAt = new Date();
    const span = {
      name: `${method} ${route}`,
      kind: 'server' as const,
      startedAt: new Date(endedAt.getTime() - durationMs),
      endedAt,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'disca.request.id': requestId,
        'disca.call.id': callId,
      },
      errorType: status >= firstServerError ? String(status) : undefined,
    };
    if (callId === undefined) tracing.recordSpan(span, { traceparent });
    else tracing.recordCallSpan(callId, span, { traceparent });
  };
}
