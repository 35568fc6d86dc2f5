import { Refusal } from '../../platform/errors.ts';
import type { Book } from '../billing/index.ts';
import { type GatewayName, GatewayRefused, GatewayUnavailable, type PaymentGateway } from './gateway.ts';

/** The configured gateways: the sandbox for test accounts only, the real one for live accounts. */
export interface Gateways {
  of(book: Book): PaymentGateway;
  named(name: GatewayName): PaymentGateway | undefined;
}

export function createGateways(sandbox: PaymentGateway, live: PaymentGateway | undefined): Gateways {
  return {
    of(book) {
      const gateway = book === 'test' ? sandbox : live;
      if (gateway) return gateway;
      throw new Refusal('PAYMENTS_UNAVAILABLE', 'No payment gateway is configured for live accounts.', {
        retryAfterSeconds: 3600,
      });
    },
    named: (name) => [sandbox, live].find((gateway) => gateway?.name === name),
  };
}

/** Maps a gateway failure to the error returned to the client. */
export function gatewayRefusal(error: unknown): unknown {
  if (error instanceof GatewayRefused) {
    return new Refusal('VALIDATION_ERROR', `The payment gateway refused: ${error.message}`, {
      details: [{ path: '', code: 'gateway_refused', message: error.message }],
    });
  }
  if (error instanceof GatewayUnavailable) {
    return new Refusal('PAYMENTS_UNAVAILABLE', 'The payment gateway is not responding. Try again shortly.', {
      retryAfterSeconds: error.retryAfterSeconds,
      cause: error,
    });
  }
  return error;
}
